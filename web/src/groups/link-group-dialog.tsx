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
import { NameField } from './group-dialogs.tsx';
import { GroupInvitation } from './group-invitation.tsx';

type Known = Answer<'groups'>;

const CHANNELS = ['telegram', 'whatsapp'] as const satisfies readonly GroupChannel[];

/** Links a group from within, by a word posted there; in the sandbox by any chat id. */
export function LinkGroupDialog({ known, onClose }: { known: Known; onClose: () => void }) {
  const texts = useTexts().groups;
  const { is_sandbox: isSandbox } = useSession();
  const { showToast } = useToasts();
  const finish = (name: string) => {
    onClose();
    showToast(texts.linked(name));
  };
  return (
    <Dialog title={texts.link} onClose={onClose}>
      <div className="grid gap-4">
        {isSandbox ? (
          <ByNumber onLinked={finish} />
        ) : (
          <FromWithin known={known} onLinked={finish} />
        )}
      </div>
    </Dialog>
  );
}

function FromWithin({ known, onLinked }: { known: Known; onLinked: (name: string) => void }) {
  const texts = useTexts().groups;
  const channels = CHANNELS.filter((channel) => known.by_word.includes(channel));
  const [channel, setChannel] = useState<GroupChannel>(channels[0] ?? 'telegram');
  if (channels.length === 0) return <p className="text-table">{texts.notConnected}</p>;
  return (
    <>
      {channels.length > 1 && (
        <div>
          <Segments
            label={texts.channel}
            isLabelHidden
            options={channels.map((value) => ({ value, label: CHANNEL_TITLES[value] }))}
            value={channel}
            onChoose={setChannel}
          />
        </div>
      )}
      <GroupInvitation key={channel} channel={channel} known={known.groups} onLinked={onLinked} />
    </>
  );
}

function ByNumber({ onLinked }: { onLinked: (name: string) => void }) {
  const texts = useTexts().groups;
  const link = useAction('linkGroup', { invalidates: ['groups'] });
  const [channel, setChannel] = useState<GroupChannel>('telegram');
  const submit = (values: FormValues) => {
    const name = values.text('name');
    link.mutate(
      { body: { name, channel, chat_id: values.text('chat_id') } },
      { onSuccess: () => onLinked(name) },
    );
  };
  return (
    <Form error={link.error} onSubmit={submit}>
      <SelectField
        name="channel"
        label={texts.channel}
        value={channel}
        options={CHANNELS.map((value) => ({ value, label: CHANNEL_TITLES[value] }))}
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
