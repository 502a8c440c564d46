import { PAPER_LANGS, type PaperKind, type PaperLang } from '@zhiber/contract/cabinet/papers.ts';
import { useState } from 'react';
import { useAction } from '../../queries.ts';
import { useLang, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form, FormActions, type FormValues } from '../../ui/controls/form.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';

export type PaperToSend = { kind: PaperKind; id: string; title: string };

/** Sends a paper to an address, such as the accountant's. */
export function SendPaperDialog(props: { paper: PaperToSend; onClose: () => void }) {
  const { paper, onClose } = props;
  const texts = useTexts().papers;
  const { showToast } = useToasts();
  const { lang } = useLang();
  const [paperLang, setPaperLang] = useState<PaperLang>(lang === 'kk' ? 'kk' : 'ru');
  const send = useAction('sendPaper');
  const submit = (values: FormValues) => {
    const email = values.text('email');
    const { kind, id } = paper;
    send.mutate(
      { body: { kind, id, email, lang: paperLang } },
      {
        onSuccess: () => {
          onClose();
          showToast(texts.sent(email));
        },
      },
    );
  };
  return (
    <Dialog title={texts.sendTitle(paper.title)} onClose={onClose}>
      <Form error={send.error} onSubmit={submit}>
        <TextField
          name="email"
          type="email"
          label={texts.email}
          hint={texts.emailHint}
          maxLength={254}
          autoComplete="email"
          required
        />
        <SelectField
          name="lang"
          label={texts.language}
          value={paperLang}
          options={PAPER_LANGS.map((value) => ({ value, label: texts.languages[value] }))}
          onChoose={setPaperLang}
        />
        <FormActions>
          <Button type="submit" look="primary" isBusy={send.isPending}>
            {texts.send}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
