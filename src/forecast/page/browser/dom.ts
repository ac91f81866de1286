type Child = Node | string | undefined;

/** An element with attributes and children; text is text, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for a drawing. */
export function drawing<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function filled<Made extends Element>(
  made: Made,
  attributes: Readonly<Record<string, string | undefined>>,
  children: readonly Child[],
): Made {
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value);
  for (const child of children) if (child !== undefined) made.append(child);
  return made;
}

/** Places an element over a part of its row, in shares of the width. */
export function place(made: HTMLElement, from: number, to: number): void {
  // The policy of the page forbids style attributes, not this.
  made.style.left = `${(from * 100).toFixed(3)}%`;
  made.style.width = `${(Math.max(0, to - from) * 100).toFixed(3)}%`;
}
