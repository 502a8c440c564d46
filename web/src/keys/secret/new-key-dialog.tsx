import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import { FALLBACK_SECONDS_DEFAULT, KEY_CAP_MAX } from '@zhiber/contract/api/limits.ts';
import { useState } from 'react';
import { useAction } from '../../queries.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Optional } from '../../ui/controls/field.tsx';
import { Form, FormActions } from '../../ui/controls/form.tsx';
import { RadioGroup } from '../../ui/controls/radio-group.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { RevealDialog } from '../../ui/secret/reveal-dialog.tsx';
import { type ChannelFacts, ChannelOrderField } from '../channels/channel-order-field.tsx';
import { DomainField } from '../settings/domain-field.tsx';
import { ExpiryField } from '../settings/expiry-field.tsx';
import { MoreSettings } from '../settings/more-settings.tsx';

export function NewKeyDialog({ facts, onClose }: { facts: ChannelFacts; onClose: () => void }) {
  const texts = useTexts().keys;
  const [mode, setMode] = useState<'test' | 'live'>('test');
  const create = useAction('createKey', { invalidates: ['keys'], isSecret: true });
  const close = () => {
    create.reset();
    onClose();
  };
  return (
    <RevealDialog
      title={texts.create}
      revealedTitle={texts.reveal.created}
      secret={create.data && { id: create.data.id, key: create.data.key, mode }}
      onClose={close}
    >
      <NewKeyForm facts={facts} mode={mode} onMode={setMode} create={create} />
    </RevealDialog>
  );
}

function NewKeyForm(props: {
  facts: ChannelFacts;
  mode: 'test' | 'live';
  onMode: (mode: 'test' | 'live') => void;
  create: ReturnType<typeof useAction<'createKey'>>;
}) {
  const { facts, mode, onMode, create } = props;
  const texts = useTexts();
  const [channels, setChannels] = useState([...CHANNELS]);
  const [domain, setDomain] = useState('');
  const [expiresAt, setExpiresAt] = useState('');
  return (
    <Form
      error={create.error}
      onSubmit={(values) => {
        const dailyCap = values.optional('daily_cap');
        const monthlyCap = values.optional('monthly_cap');
        create.mutate({
          body: {
            name: values.text('name'),
            mode,
            channels,
            ...(domain.trim() !== '' && { domain: domain.trim() }),
            ...(dailyCap && { daily_cap: Number(dailyCap) }),
            ...(monthlyCap && { monthly_cap: Number(monthlyCap) }),
            ...(expiresAt !== '' && { expires_at: expiresAt }),
          },
        });
      }}
    >
      <TextField
        name="name"
        label={texts.keys.columns.name}
        hint={texts.keys.nameHint}
        required
        maxLength={200}
        autoComplete="off"
      />
      <RadioGroup
        name="mode"
        label={texts.keys.columns.mode}
        value={mode}
        onChoose={onMode}
        options={(['test', 'live'] as const).map((value) => ({
          value,
          label: texts.ui.modes[value],
          hint: texts.keys.modeHints[value],
        }))}
      />
      <MoreSettings>
        <ExpiryField value={expiresAt} onChange={setExpiresAt} />
        {mode === 'live' && <CapFields />}
        <ChannelOrderField
          facts={facts}
          mode={mode}
          fallbackSeconds={FALLBACK_SECONDS_DEFAULT}
          initial={CHANNELS}
          onChange={setChannels}
        />
        <DomainField value={domain} onChange={setDomain} />
      </MoreSettings>
      <FormActions>
        <Button type="submit" look="primary" isBusy={create.isPending}>
          {texts.keys.create}
        </Button>
      </FormActions>
    </Form>
  );
}

function CapFields() {
  const texts = useTexts().keys;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {(['daily_cap', 'monthly_cap'] as const).map((field) => (
        <TextField
          key={field}
          type="number"
          name={field}
          label={<Optional label={texts.fields[field]} />}
          hint={texts.fieldHints[field](1, KEY_CAP_MAX)}
          min={1}
          max={KEY_CAP_MAX}
          step={1}
          inputMode="numeric"
          autoComplete="off"
        />
      ))}
    </div>
  );
}
