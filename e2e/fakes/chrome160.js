// Chrome 160: getTools gives Tool objects (source instead of window, null for what is missing), and a stale one is refused.
import { install } from './modelcontext.js';

install(160);
