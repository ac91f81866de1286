import { escapeLine } from '../../../shared/lib/escape.js';
import type { Obstacle, UpgradePlan } from '../types.js';
import { costLine } from './cost.js';
import { headlines, obstacleLines } from './text.js';

const OBSTACLES_SHOWN = 5;

/** The obstacles that the short form of a plan has, and how many more there are, as text. */
export function worstObstacles({ obstacles }: UpgradePlan): {
  readonly shown: readonly Obstacle[];
  readonly more: string;
} {
  const more = obstacles.length - OBSTACLES_SHOWN;
  return {
    shown: obstacles.slice(0, OBSTACLES_SHOWN),
    more: more > 0 ? `${more} more in the way: \`weft plan\` names them` : '',
  };
}

/** The first lines of the plan and the worst obstacles, for a terminal. */
export function planBriefText(plan: UpgradePlan, name: string): string {
  const { shown, more } = worstObstacles(plan);
  const lines = [
    `${name}: the upgrade that this starts`,
    ...[...costLine(plan), ...headlines(plan)].map((line) => `  ${line}`),
    ...shown.flatMap(obstacleLines),
    ...(more === '' ? [] : [`  ${more}`]),
  ];
  return lines.map((line) => `${escapeLine(line)}\n`).join('');
}

/** A cluster whose upgrade cannot be planned. */
export function unplannedText(name: string, reason: string): string {
  return `${escapeLine(`${name}: no plan: ${reason}`)}\n`;
}
