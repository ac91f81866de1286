import { site } from '../../lib/site.js';

export const cluster = site('oslo', '6.8.0-45-generic');
