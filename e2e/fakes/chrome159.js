// Chrome 159: as 155, with outputSchema kept and the events on document.modelContext.
import { install } from './modelcontext.js';

install(159);
