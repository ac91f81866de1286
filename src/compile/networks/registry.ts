/**
 * Every kind of network, one line each: its folder exports the kind, its construct and the types of its document, and
 * so does the library. Shared code uses `all.ts`.
 */
export * from './host-device-network/index.js';
export * from './ipoib-network/index.js';
export * from './macvlan-network/index.js';
