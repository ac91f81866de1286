import * as z from 'zod';
import { isDnsLabel } from '../../../shared/kubernetes/names.js';
import { strictObject } from '../../../shared/lib/strict-object.js';
import { port } from '../shapes.js';

const PORT_NAME = /^(?:[0-9]+-)*[0-9]*[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const NO_PORT_NAME = {
  error: 'must be the name of a port: at most 15 lowercase letters, digits and `-`, one letter at least',
};

/** The name of a port of the pods (IANA service name, RFC 6335). */
const portName = () =>
  z
    .string()
    .max(15, { ...NO_PORT_NAME, abort: true })
    .regex(PORT_NAME, NO_PORT_NAME);

const servicePort = () =>
  strictObject(() => ({
    name: z
      .string()
      .refine(isDnsLabel, { error: 'must be a DNS label: at most 63 lowercase letters, digits and `-`' })
      .optional()
      .describe('Name. Needed where there are several ports.'),
    port: port.describe('Port of the Service.'),
    protocol: z.enum(['TCP', 'UDP', 'SCTP']).default('TCP').describe('Protocol.'),
    targetPort: z.union([port, portName()]).describe('Port of the pod, or its name.'),
  }));

/**
 * Ports of a Service. Several need names, and no two have the same name, or the same number and protocol (Kubernetes v1.36,
 * pkg/apis/core/validation ValidateService).
 */
export const servicePorts = () =>
  z
    .array(servicePort())
    .min(1)
    .superRefine((ports, context) => {
      const seen = new Set<string>();
      const complain = (path: (string | number)[], message: string) =>
        context.addIssue({ code: 'custom', path, message });
      for (const [index, { name, port: number, protocol }] of ports.entries()) {
        if (name === undefined && ports.length > 1) complain([index, 'name'], 'is missing: there are several ports');
        if (name !== undefined && seen.has(name)) complain([index, 'name'], `: another port has the name ${name}`);
        const numbered = `${number}/${protocol}`;
        if (seen.has(numbered)) complain([index, 'port'], `: another port is ${numbered} too`);
        if (name !== undefined) seen.add(name);
        seen.add(numbered);
      }
    });
