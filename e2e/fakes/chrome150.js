// Chrome 150: registerTool answers nothing and throws at once; execute gets one argument; schemas and input are JSON text; navigator.modelContext is there too.
import { install } from './modelcontext.js';

install(150);
