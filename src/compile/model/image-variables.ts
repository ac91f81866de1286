/** Environment variables by which a program gets the names of images that its own pods run. */
export interface ImageVariables {
  /** Those that hold a whole reference. */
  readonly whole?: readonly string[];
  /** Those that hold the parts of one reference. */
  readonly parts?: { readonly repository: string; readonly image: string; readonly version: string };
  /** The one with the names of the Secrets by which these images are pulled, separated by commas. */
  readonly pullSecrets: string;
}
