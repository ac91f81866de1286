const TEMPLATE_PATH = /^(?:base|main)\/templates\//;

/** A template action that Helm renders as two opening braces. */
const BRACES = '{{ "{{" }}';

/** Whether a file is a template of one of the charts; its path is relative to the folder of its cluster. */
export const isTemplate = (path: string): boolean => TEMPLATE_PATH.test(path);

/** A manifest as a template that Helm renders to the same text: two opening braces would begin an action. */
export function toTemplate(text: string): string {
  return text.replaceAll('{{', BRACES);
}

/** The manifest that Helm renders from a template; a file in another folder is a manifest itself. */
export function manifestText(path: string, text: string): string {
  return isTemplate(path) ? text.replaceAll(BRACES, '{{') : text;
}
