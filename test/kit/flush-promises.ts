/** Resolves when the microtask queue is empty: `setImmediate` runs after all settled promises and those that they settle. */
export function flushPromises(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
