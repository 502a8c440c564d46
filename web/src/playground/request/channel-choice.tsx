import { CHANNEL_TITLES, CHANNELS, GROUP_CHANNELS } from '@zhiber/contract/api/channel.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Segments } from '../../ui/controls/segments.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';
import type { RequestProps } from './draft.ts';

/** `auto` or one channel. Groups exist in the messengers alone. */
export function ChannelChoice({ operation, fields, onSet }: RequestProps) {
  const texts = useTexts().playground;
  const channels = operation === 'groupSend' ? GROUP_CHANNELS : CHANNELS;
  const value = channels.find((channel) => channel === fields.channel) ?? 'auto';
  return (
    <Segments
      label={texts.channel}
      isWide
      value={value}
      options={[
        { value: 'auto' as const, label: 'auto' },
        ...channels.map((channel) => ({
          value: channel,
          label: (
            <span title={CHANNEL_TITLES[channel]}>
              <ChannelLabel channel={channel} />
            </span>
          ),
        })),
      ]}
      onChoose={(channel) => onSet({ channel })}
    />
  );
}
