import type { LiveTexts } from '../../../texts/try-texts-ru.ts';
import { cloneItem, find, part } from '../dom.ts';
import { fill, recipient, seconds, tokens } from '../format.ts';
import { SAYS_WHY, STEP_TONES } from '../step-tones.ts';
import { channelTitle } from './phone.ts';
import { loadStory, type Step, type Story } from './server.ts';

export type StoryPanel = {
  follow(messageId: string): void;
  /** Something about this message changed; reloads it if it is the one on show. */
  refresh(messageId: string): void;
  refreshCurrent(): void;
};

export function createStoryPanel(texts: LiveTexts): StoryPanel {
  let current: string | undefined;
  let isLoading = false;
  let isStale = false;

  /** Changes come in bursts: while one load is under way the rest become a single further one. */
  async function load(): Promise<void> {
    if (current === undefined) return;
    isStale = isLoading;
    if (isLoading) return;
    isLoading = true;
    const asked = current;
    try {
      const story = await loadStory(asked);
      if (asked === current) showStory(texts, story);
    } catch {
      find('story-summary', HTMLElement).textContent = texts.storyFailed;
    } finally {
      isLoading = false;
    }
    if (isStale || asked !== current) await load();
  }

  return {
    follow(messageId) {
      current = messageId;
      void load();
    },
    refresh(messageId) {
      if (messageId === current) void load();
    },
    refreshCurrent: () => void load(),
  };
}

function showStory(texts: LiveTexts, story: Story): void {
  const facts = [
    recipient(story.phone),
    texts.states[story.state] ?? story.state,
    story.channel === null ? '' : channelTitle(story.channel),
    story.mode === 'test' ? texts.modes.test : tokens(story.cost),
  ];
  find('story-summary', HTMLElement).textContent = facts.filter((fact) => fact !== '').join(' · ');
  const startedAt = Date.parse(story.created_at);
  const items = story.steps.map((step) => stepItem(texts, step, startedAt));
  find('story', HTMLOListElement).replaceChildren(...items);
}

function stepItem(texts: LiveTexts, step: Step, startedAt: number): HTMLLIElement {
  const item = cloneItem('step-template');
  item.dataset.tone = STEP_TONES[step.step] ?? 'plain';
  part(item, 'word', HTMLElement).textContent = texts.steps[step.step] ?? step.step;
  const channel = part(item, 'channel', HTMLElement);
  channel.textContent = step.channel === null ? '' : channelTitle(step.channel);
  const time = part(item, 'time', HTMLTimeElement);
  time.dateTime = step.at;
  const ms = Math.max(0, Date.parse(step.at) - startedAt);
  time.textContent = fill(texts.after, { seconds: seconds(ms) });
  const reason = part(item, 'text', HTMLElement);
  if (SAYS_WHY.has(step.step)) reason.textContent = step.text;
  else reason.remove();
  return item;
}
