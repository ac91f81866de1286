/** A function that computes its value at the first call. */
export function once<Value>(compute: () => Value): () => Value {
  let computed: { readonly value: Value } | undefined;
  return () => (computed ??= { value: compute() }).value;
}

/**
 * A function that computes the value of each argument once and keeps it. It is for few arguments, and for values that follow from
 * constants: what depends on the input of a run belongs in an object of the run (`config/fleet-cache`).
 */
export function memoized<Argument, Value>(compute: (argument: Argument) => Value): (argument: Argument) => Value {
  const values = new Map<Argument, { readonly value: Value }>();
  return (argument) => {
    const known = values.get(argument);
    if (known !== undefined) return known.value;
    const value = compute(argument);
    values.set(argument, { value });
    return value;
  };
}

/**
 * Keeps for each key what the last inputs gave: as long as these are the same, item by item, the value is the same object. For what follows from
 * inputs that seldom change, and is asked for over and over.
 */
export function keptBy<Value>(): (key: object, inputs: readonly unknown[], compute: () => Value) => Value {
  const known = new WeakMap<object, { readonly inputs: readonly unknown[]; readonly value: Value }>();
  return (key, inputs, compute) => {
    const last = known.get(key);
    if (last?.inputs.length === inputs.length && inputs.every((one, at) => Object.is(one, last.inputs[at])))
      return last.value;
    const value = compute();
    known.set(key, { inputs, value });
    return value;
  };
}
