// The pages around the Sandbox: theme, and the site's tools.
import { startTools } from "./host";
import { followTheme } from "./prefs";

followTheme();
startTools().catch((e: unknown) => console.error("postext: the tools could not be started", e));
