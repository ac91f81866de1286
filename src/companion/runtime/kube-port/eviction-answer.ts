import { failureOf, statusOf } from '../../../shared/kube-client/answer.js';
import type { Reply } from '../../../shared/kube-client/exchange.js';
import type { EvictionAnswer } from '../ports.js';

/** The result of an eviction: registry/core/pod/storage/eviction.go of Kubernetes 1.36. */
export function evictionAnswerOf(reply: Reply): EvictionAnswer {
  if (reply.kind === 'reply' && reply.status < 300) return { kind: 'accepted' };
  const failure = failureOf(reply);
  const { message } = failure;
  const status = reply.kind === 'reply' ? statusOf(reply.body) : undefined;
  const causes = status?.causes ?? [];
  if (failure.kind === 'retry') {
    if (reply.kind === 'reply' && reply.status === 429 && causes.includes('DisruptionBudget')) {
      return { ...failure, kind: 'refused' };
    }
    // The pod has several budgets, so every attempt gets this answer.
    return /more than one PodDisruptionBudget/.test(message) ? { kind: 'error', message } : failure;
  }
  // 409: the precondition failed, or another eviction updated the same budget concurrently.
  if (failure.kind === 'conflict')
    return /UID in precondition/.test(message) ? { kind: 'gone' } : { kind: 'retry', message };
  if (failure.kind === 'gone') return { kind: 'gone' };
  if (failure.kind === 'forbidden') return failure;
  if (causes.includes('NamespaceTerminating')) return { kind: 'retry', message };
  return { kind: 'error', message };
}
