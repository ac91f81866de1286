// VitePress looks for its configuration here.
export { siteConfig as default } from '../config.ts';
