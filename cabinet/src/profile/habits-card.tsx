import { useAction } from '../queries.ts';
import { LANG_TITLES, LANGS, type Lang } from '../texts/language.ts';
import { useLang, useTexts } from '../texts/use-texts.tsx';
import { THEMES, useTheme } from '../theme/theme.ts';
import { RadioGroup } from '../ui/controls/radio-group.tsx';
import { SwitchField } from '../ui/controls/tick-field.tsx';
import { Card } from '../ui/display/card.tsx';
import { useShortcuts } from '../ui/overlays/shortcuts.tsx';

/** What takes effect at once, and needs no button to save it. */
export function HabitsCard() {
  const texts = useTexts();
  const [theme, setTheme] = useTheme();
  const shortcuts = useShortcuts();
  return (
    <Card title={texts.profile.habits}>
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
  const change = useAction('changeProfile', { outdates: ['session'] });
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
