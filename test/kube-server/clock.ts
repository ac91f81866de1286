import { REAL_CLOCK, type Clock } from '../../src/shared/kube-client/clock.js';

/** The client repeats requests at once. */
export const WITHOUT_PAUSES: Clock = { ...REAL_CLOCK, pause: () => Promise.resolve() };
