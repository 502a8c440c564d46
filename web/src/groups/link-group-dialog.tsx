import { CHANNEL_TITLES, type GroupChannel } from '@zhiber/contract/api/channel.ts';
import { useState } from 'react';
import type { Answer } from '../call.ts';
import { useAction } from '../queries.ts';
import { useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions, type FormValues } from '../ui/controls/form.tsx';
import { Segments } from '../ui/controls/segments.tsx';
import { SelectField } from '../ui/controls/select-field.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { BotInvitation } from './bot-invitation.tsx';
import { NameField } from './group-dialogs.tsx';

type Known = Answer<'groups'>;

const METHODS = ['bot', 'id'] as const;
const CHANNELS = ['telegram', 'whatsapp'] as const satisfies readonly GroupChannel[];

/** Links a group through the bot, where there is one, or by its chat id. */
export function LinkGroupDialog({ known, onClose }: { known: Known; onClose: () => void }) {
  const texts = useTexts().groups;
  const { showToast } = useToasts();
  const [method, setMethod] = useState<(typeof METHODS)[number]>(known.bot === null ? 'id' : 'bot');
  const finish = (name: string) => {
    onClose();
    showToast(texts.linked(name));
  };
  return (
    <Dialog title={texts.link} onClose={onClose}>
      <div className="grid gap-4">
        {known.bot !== null && (
          <div>
            <Segments
              label={texts.way}
              isLabelHidden
              options={METHODS.map((value) => ({ value, label: texts.ways[value] }))}
              value={method}
              onChoose={setMethod}
            />
          </div>
        )}
        {method === 'bot' ? (
          <BotInvitation known={known.groups} onLinked={finish} />
        ) : (
          <ByNumber known={known} onLinked={finish} />
        )}
      </div>
    </Dialog>
  );
}

function ByNumber({ known, onLinked }: { known: Known; onLinked: (name: string) => void }) {
  const texts = useTexts().groups;
  const { is_sandbox: isSandbox } = useSession();
  const link = useAction('linkGroup', { invalidates: ['groups'] });
  // A channel without a provider for groups would be refused at the first message.
  const channels = CHANNELS.filter((channel) => isSandbox || known.carriers.includes(channel));
  const [channel, setChannel] = useState<GroupChannel>(channels[0] ?? 'telegram');
  const submit = (values: FormValues) => {
    const name = values.text('name');
    link.mutate(
      { body: { name, channel, chat_id: values.text('chat_id') } },
      { onSuccess: () => onLinked(name) },
    );
  };
  if (channels.length === 0) return <p className="text-table">{texts.noCarriers}</p>;
  return (
    <Form error={link.error} onSubmit={submit}>
      <SelectField
        name="channel"
        label={texts.channel}
        value={channel}
        options={channels.map((value) => ({ value, label: CHANNEL_TITLES[value] }))}
        onChoose={setChannel}
      />
      <TextField
        name="chat_id"
        label={texts.chatId}
        hint={texts.chatIdHints[channel]}
        isMono
        maxLength={128}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <NameField />
      <FormActions>
        <Button type="submit" look="primary" isBusy={link.isPending}>
          {texts.link}
        </Button>
      </FormActions>
    </Form>
  );
}
