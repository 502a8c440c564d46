import { LANG_TITLES, LANGS, type Lang } from '@zhiber/contract/languages.ts';
import { THEMES, useTheme } from '../design/theme/theme.ts';
import { useAction } from '../queries.ts';
import { useLang, useTexts } from '../texts/use-texts.tsx';
import { RadioGroup } from '../ui/controls/radio-group.tsx';
import { SwitchField } from '../ui/controls/tick-field.tsx';
import { Card } from '../ui/display/card.tsx';
import { useShortcuts } from '../ui/overlays/shortcuts.tsx';

/** Settings that take effect at once, without a save button. */
export function PreferencesCard() {
  const texts = useTexts();
  const [theme, setTheme] = useTheme();
  const shortcuts = useShortcuts();
  return (
    <Card title={texts.profile.preferences}>
      <div className="grid gap-4">
        <LanguageChoice />
        <RadioGroup
          name="theme"
          label={texts.layout.theme}
          isInline
          options={THEMES.map((value) => ({ value, label: texts.layout.themes[value] }))}
          value={theme}
          onChoose={setTheme}
        />
        <SwitchField
          name="shortcuts"
          label={texts.ui.shortcutsOn}
          hint={texts.ui.shortcutsHint}
          checked={shortcuts.isOn}
          onChange={(event) => shortcuts.setOn(event.currentTarget.checked)}
        />
      </div>
    </Card>
  );
}

function LanguageChoice() {
  const texts = useTexts().layout;
  const { lang, setLang } = useLang();
  const change = useAction('changeProfile', { invalidates: ['session'] });
  const choose = async (chosen: Lang) => {
    await setLang(chosen);
    change.mutate({ body: { language: chosen } });
  };
  return (
    <RadioGroup
      name="language"
      label={texts.language}
      isInline
      options={LANGS.map((value) => ({
        value,
        label: <span lang={value}>{LANG_TITLES[value]}</span>,
      }))}
      value={lang}
      onChoose={(chosen) => void choose(chosen)}
    />
  );
}
