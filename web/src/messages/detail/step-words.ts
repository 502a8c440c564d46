import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import type { MessageDetail, TimelineStep } from '@zhiber/contract/cabinet/messages.ts';
import { useTexts } from '../../texts/use-texts.tsx';

type Words = { title: string; note: string | undefined };

/** The translated title of a step, and a note where it needs an explanation. */
export function useStepWords(step: TimelineStep, message: MessageDetail): Words {
  const texts = useTexts();
  const channel = step.channel === null ? undefined : CHANNEL_TITLES[step.channel];
  return {
    title: texts.ui.steps[step.step](channel),
    note: findNote(step, message, texts.messages.stepNotes),
  };
}

type Notes = ReturnType<typeof useTexts>['messages']['stepNotes'];

function findNote(step: TimelineStep, message: MessageDetail, notes: Notes): string | undefined {
  switch (step.step) {
    case 'accepted':
      return message.route.length > 1 ? notes.route(routeText(message)) : undefined;
    case 'unconfirmed':
      return step.channel === 'whatsapp'
        ? notes.unconfirmedWhatsapp(message.fallback_seconds)
        : notes.unconfirmed(message.fallback_seconds);
    case 'sent':
      return step === message.steps.at(-1) ? notes.sent : undefined;
    case 'unavailable':
      return notes.unavailable;
    case 'unknown':
      return notes.unknown;
    case 'attempt':
    case 'refused':
    case 'delivered':
    case 'read':
    case 'failed':
    case 'fallback':
    case 'verified':
    case 'clicked':
      return undefined;
  }
}

function routeText({ route }: MessageDetail): string {
  return route.map((channel) => CHANNEL_TITLES[channel]).join(' → ');
}
