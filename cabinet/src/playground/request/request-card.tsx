import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../../session.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { Segments } from '../../ui/controls/segments.tsx';
import { Card } from '../../ui/display/card.tsx';
import { ChannelChoice } from './channel-choice.tsx';
import { loadOf, type RequestFields, SENDING, type Sending } from './fields.ts';
import { GroupFields, LinkFields, OtpFields, ShortenFields } from './operation-fields.tsx';
import { type CallFacts, PriceLine, UnableNote } from './price-line.tsx';

export type RequestProps = CallFacts & {
  row: Key;
  operation: Sending;
  fields: RequestFields;
  onOperation: (operation: Sending) => void;
  onSet: (edit: Partial<RequestFields>) => void;
};

const FIELDS = {
  otpSend: OtpFields,
  linkSend: LinkFields,
  linkShorten: ShortenFields,
  groupSend: GroupFields,
} as const satisfies Record<Sending, (props: RequestProps) => ReactNode>;

/** The request as a form. Little is checked here: a wrong field is for the API to answer. */
export function RequestCard(
  props: RequestProps & { onSend: () => void; isBusy: boolean; keyChoice: ReactNode },
) {
  const { row, operation, fields, onOperation, onSend, isBusy, keyChoice } = props;
  const texts = useTexts().playground;
  const { is_sandbox: isSandbox } = useSession();
  const Fields = FIELDS[operation];
  return (
    <Card
      title={texts.request}
      className={classes(row.mode === 'live' && 'outline-2 -outline-offset-1 outline-warn')}
    >
      <Form onSubmit={onSend}>
        {keyChoice}
        {row.mode === 'live' && (
          <p className="rounded-control bg-warn-tint px-3 py-2 text-table text-warn">
            {isSandbox ? texts.sandboxHint : texts.liveHint}
          </p>
        )}
        <Segments
          label={texts.kind}
          value={operation}
          options={SENDING.map((value) => ({ value, label: texts.operations[value] }))}
          onChoose={onOperation}
        />
        <Fields {...props} />
        {loadOf(operation, fields) !== null && <ChannelChoice {...props} />}
        <UnableNote {...props} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            type="submit"
            look="primary"
            isBusy={isBusy}
            icon={<Send aria-hidden="true" size={16} />}
          >
            {texts.send[operation]}
          </Button>
          <PriceLine {...props} />
        </div>
      </Form>
    </Card>
  );
}
