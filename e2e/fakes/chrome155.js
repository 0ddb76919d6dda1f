// Chrome 155: registerTool gives a promise; schemas and input are objects; execute gets {signal}; consequentialHint is kept, debugging is not.
import { install } from './modelcontext.js';

install(155);
