import { CHANNEL_TITLES, type Channel } from '@zhiber/contract/api/channel.ts';
import type { Broadcast } from '@zhiber/contract/cabinet/broadcasts.ts';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../call.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Segments } from '../../ui/controls/segments.tsx';
import { MessageBubble } from '../../ui/display/message-bubble.tsx';

type Sample = Answer<'checkText'>['samples'][number];

/** Real rows on the virtual phone, in each channel that the broadcast goes by. */
export function Preview(props: { broadcast: Broadcast; samples: readonly Sample[] }) {
  const { broadcast, samples } = props;
  const texts = useBroadcastTexts();
  const channels: readonly Channel[] =
    broadcast.channels.length > 0 ? broadcast.channels : broadcast.offered_channels;
  const [place, setPlace] = useState(0);
  const sample = samples[Math.min(place, samples.length - 1)];
  const [chosen, setChosen] = useState<Channel>();
  // WhatsApp has no text before a template is chosen: then another channel shows it.
  const channel =
    channels.find((one) => one === chosen) ??
    channels.find((one) => sample?.texts[one]) ??
    channels[0];
  return (
    <section aria-label={texts.previewTitle} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {channels.length > 1 && channel !== undefined && (
        <Segments
          label={texts.previewChannel}
          isLabelHidden
          isWide
          options={channels.map((value) => ({ value, label: CHANNEL_TITLES[value] }))}
          value={channel}
          onChoose={setChosen}
        />
      )}
      <div className="mx-auto flex min-h-48 w-full max-w-md flex-col overflow-hidden rounded-[28px] border-[6px] border-(--bezel) bg-sunken px-3 pt-4 pb-4">
        <Screen sample={sample} channel={channel} />
      </div>
      {samples.length > 1 && sample !== undefined && (
        <RowSwitch
          text={texts.previewRow(sample.number)}
          onStep={(step) => setPlace((samples.length + place + step) % samples.length)}
        />
      )}
    </section>
  );
}

function Screen({ sample, channel }: { sample: Sample | undefined; channel: Channel | undefined }) {
  const texts = useBroadcastTexts();
  const { playground } = useTexts();
  const format = useFormat();
  const text = channel === undefined ? undefined : sample?.texts[channel];
  if (sample === undefined || channel === undefined || text === undefined || text === '') {
    return (
      <p className="px-4 py-10 text-center text-table text-muted">
        {sample !== undefined && channel === 'whatsapp'
          ? texts.previewNoTemplate
          : texts.previewEmpty}
      </p>
    );
  }
  return (
    <ol aria-live="polite">
      <MessageBubble
        channel={channel}
        recipient={playground.to(format.phone(sample.phone))}
        text={text}
        link={null}
        aside={
          channel === 'sms' && (
            <span className="ms-auto text-sm text-faint">{texts.parts(sample.parts)}</span>
          )
        }
      />
    </ol>
  );
}

function RowSwitch({ text, onStep }: { text: string; onStep: (step: 1 | -1) => void }) {
  const texts = useBroadcastTexts();
  return (
    <div className="flex items-center justify-center gap-2">
      <IconButton icon={ChevronLeft} label={texts.previousRow} onClick={() => onStep(-1)} />
      <span role="status" className="text-table text-muted">
        {text}
      </span>
      <IconButton icon={ChevronRight} label={texts.nextRow} onClick={() => onStep(1)} />
    </div>
  );
}
