// A browser to come that refuses schemas outside its subset with a TypeError.
import { install } from './modelcontext.js';

install(160, { strict: true });
