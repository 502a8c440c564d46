import type { Broadcast } from '@zhiber/contract/cabinet/broadcasts.ts';

export const STEPS = ['recipients', 'check', 'text', 'sending', 'summary'] as const;
export type Step = (typeof STEPS)[number];
export type Obstacle = Broadcast['obstacles'][number];

/** The step of `?step=2`; anything else is the first. */
export function stepOf(number: string): Step | undefined {
  return /^[1-5]$/.test(number) ? STEPS[Number(number) - 1] : undefined;
}

export function numberOf(step: Step): string {
  return String(STEPS.indexOf(step) + 1);
}

const STEP_OF_OBSTACLE: Record<Obstacle, Step> = {
  no_recipients: 'recipients',
  no_text: 'text',
  no_template: 'text',
  no_url: 'text',
  unknown_variable: 'text',
  text_too_long: 'text',
  no_channel: 'sending',
  no_consent: 'sending',
  start_in_past: 'sending',
};

type Facts = Pick<Broadcast, 'obstacles'> & { rows: Pick<Broadcast['rows'], 'verdicts'> };

/** Where an obstacle is put right: when every row of a file is unfit, among its rows. */
export function stepOfObstacle(obstacle: Obstacle, { rows }: Pick<Facts, 'rows'>): Step {
  if (obstacle === 'no_recipients' && rows.verdicts !== null) return 'check';
  return STEP_OF_OBSTACLE[obstacle];
}

/** Whether nothing is left to do in a step. */
export function isDone(step: Step, { obstacles, rows }: Facts): boolean {
  if (step === 'summary') return false;
  if (step === 'recipients') return rows.verdicts !== null;
  if (step === 'check' && rows.verdicts === null) return false;
  return !obstacles.some((obstacle) => stepOfObstacle(obstacle, { rows }) === step);
}

/** The first step with something left to do: a draft opens there. */
export function firstOpenStep(facts: Facts): Step {
  return STEPS.find((step) => !isDone(step, facts)) ?? 'summary';
}
