import type { ReactNode } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { Segments } from '../../ui/controls/segments.tsx';
import { Card } from '../../ui/display/card.tsx';
import { ChannelChoice } from './channel-choice.tsx';
import type { RequestProps } from './draft.ts';
import { contentOf, SENDING, type Sending } from './fields.ts';
import { KeyCap } from './key-cap.tsx';
import { GroupFields, LinkFields, OtpFields, ShortenFields } from './operation-fields.tsx';
import { PriceLine, UnableNote } from './price-line.tsx';

const FIELDS = {
  otpSend: OtpFields,
  linkSend: LinkFields,
  linkShorten: ShortenFields,
  groupSend: GroupFields,
} as const satisfies Record<
  Sending,
  (props: RequestProps & { groupsLink: ReactNode }) => ReactNode
>;

/** The request as a form. Nothing is checked here: a wrong field is for the API to answer. */
export function RequestCard(
  props: RequestProps & {
    keyChoice: ReactNode;
    groupsLink: ReactNode;
    isBusy: boolean;
    onSend: () => void;
  },
) {
  const { apiKey, facts, operation, fields, onOperation, onSend, isBusy, keyChoice } = props;
  const texts = useTexts().playground;
  const isLive = apiKey.mode === 'live';
  const Fields = FIELDS[operation];
  return (
    <Card
      title={texts.request}
      className={classes('@container', isLive && 'outline-2 -outline-offset-1 outline-warn')}
    >
      <Form onSubmit={onSend} className="gap-3">
        <Segments
          label={texts.kind}
          isLabelHidden
          isWide
          value={operation}
          options={SENDING.map((value) => ({ value, label: texts.operations[value] }))}
          onChoose={onOperation}
        />
        {keyChoice}
        {isLive && (
          <p className="rounded-control bg-warn-tint px-3 py-2 text-table text-warn">
            {facts.isSandbox ? texts.sandboxHint : texts.liveHint}
          </p>
        )}
        <Fields {...props} />
        {contentOf(operation, fields) !== null && <ChannelChoice {...props} />}
        <UnableNote {...props} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-1">
          {/* Not disabled while it is busy: it would lose the focus. */}
          <Button type="submit" look="primary" className="min-h-11 grow" aria-disabled={isBusy}>
            {texts.send[operation]}
            <KeyCap>⏎</KeyCap>
          </Button>
          <PriceLine {...props} />
        </div>
      </Form>
    </Card>
  );
}
