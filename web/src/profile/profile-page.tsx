import { useTexts } from '../texts/use-texts.tsx';
import { Page } from '../ui/display/page.tsx';
import { ContactsCard } from './contacts-card.tsx';
import { NameCard } from './name-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { PreferencesCard } from './preferences-card.tsx';
import { SecondFactorCard } from './second-factor-card.tsx';
import { SecurityEventsCard } from './security-events-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

export function ProfilePage() {
  const texts = useTexts().profile;
  return (
    <Page title={texts.title} lead={texts.lead}>
      <div className="grid max-w-3xl gap-5">
        <NameCard />
        <PreferencesCard />
        <ContactsCard />
        <PasswordCard />
        <PasskeysCard />
        <SecondFactorCard />
        <SessionsCard />
        <SecurityEventsCard />
      </div>
    </Page>
  );
}
