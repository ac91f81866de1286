import * as z from 'zod';
import { isDnsLabel } from '../../../shared/kubernetes/names.js';

/**
 * Characters that an interface's name cannot have (Linux, net/core/dev.c `dev_valid_name`), and the maximum length of
 * an alternative name.
 */
const INTERFACE_NAME = /^[^\s/:\p{Cc}]{1,127}$/u;

/** The interface of the host that a network uses; empty text means none, as in the operator. */
export const master = z
  .string()
  .refine((name) => name === '' || INTERFACE_NAME.test(name), {
    error: 'must be the name of an interface: no white space, `/` or `:`, at most 127 characters',
  })
  .optional();

/** Namespace of the NetworkAttachmentDefinition. */
export const networkNamespace = z
  .string()
  .refine((name) => name === '' || isDnsLabel(name), {
    error: 'must be lower-case letters, digits and `-`, at most 63 of them',
  })
  .optional()
  .describe(
    'Namespace of the NetworkAttachmentDefinition, which is the one of the pods that use it. Default: `default`.',
  );
