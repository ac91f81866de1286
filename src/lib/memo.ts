/**
 * Values that follow from constants, such as an index of a table, and that few runs need. What depends on the input of a run
 * belongs into an object of the run instead (`config/fleet-cache`).
 */

/** A function that computes its value at the first call. */
export function once<Value>(compute: () => Value): () => Value {
  let computed: { readonly value: Value } | undefined;
  return () => (computed ??= { value: compute() }).value;
}

/** A function that computes the value of each argument once. There must be few arguments: the values are kept. */
export function memoized<Argument, Value>(compute: (argument: Argument) => Value): (argument: Argument) => Value {
  const values = new Map<Argument, { readonly value: Value }>();
  return (argument) => {
    const known = values.get(argument) ?? { value: compute(argument) };
    values.set(argument, known);
    return known.value;
  };
}
