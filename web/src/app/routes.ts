import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { CallError } from '../call-error.ts';
import { loadSession } from '../session.ts';
import { AppLayout } from './layout.tsx';
import { importPart, lazyPage } from './lazy-page.tsx';
import { firstSection } from './sections.ts';

const rootRoute = createRootRoute({
  component: Outlet,
  validateSearch: (search: Record<string, string>): Record<string, string | undefined> => search,
});

/** Loads the session, or redirects to the sign-in page. */
async function requireSession(href: string) {
  try {
    return await loadSession();
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'not_signed_in') throw error;
    throw redirect({ to: '/login', search: { back: href } });
  }
}

const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app',
  component: AppLayout,
  beforeLoad: async ({ location }) => {
    const { company } = await requireSession(location.href);
    if (company === null) throw redirect({ to: '/app/new-company' });
  },
});

const newCompanyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app/new-company',
  beforeLoad: async ({ location }) => {
    await requireSession(location.href);
  },
  component: lazyPage(() => import('../sign-in/new-company-page.tsx'), 'NewCompanyPage'),
});

const app = () => appRoute;
const overviewRoute = createRoute({
  getParentRoute: app,
  path: '/',
  component: lazyPage(() => import('../overview/overview-page.tsx'), 'OverviewPage'),
  // Not every role has an overview.
  beforeLoad: async () => {
    const { company } = await loadSession();
    const to = firstSection(company?.rights ?? []);
    if (to !== '/app') throw redirect({ to, replace: true });
  },
});
const startRoute = createRoute({
  getParentRoute: app,
  path: '/start',
  component: lazyPage(() => import('../playground/start/start-page.tsx'), 'StartPage'),
});
const messagesRoute = createRoute({
  getParentRoute: app,
  path: '/messages',
  component: lazyPage(() => import('../messages/messages-page.tsx'), 'MessagesPage'),
});
const messageRoute = createRoute({
  getParentRoute: () => messagesRoute,
  path: '$id',
  component: lazyPage(() => import('../messages/message-panel.tsx'), 'MessagePanel'),
});
const broadcastsRoute = createRoute({
  getParentRoute: app,
  path: '/broadcasts',
  component: lazyPage(() => import('../broadcasts/frame.tsx'), 'BroadcastsFrame'),
});
const broadcasts = () => broadcastsRoute;
const broadcastListRoute = createRoute({
  getParentRoute: broadcasts,
  path: '/',
  component: lazyPage(() => import('../broadcasts/broadcasts-page.tsx'), 'BroadcastsPage'),
});
const broadcastRoute = createRoute({
  getParentRoute: broadcasts,
  path: '$id',
  component: lazyPage(() => import('../broadcasts/broadcast-page.tsx'), 'BroadcastPage'),
});
const recipientListsRoute = createRoute({
  getParentRoute: broadcasts,
  path: 'lists',
  component: lazyPage(() => import('../broadcasts/lists/lists-page.tsx'), 'ListsPage'),
});
const recipientListRoute = createRoute({
  getParentRoute: broadcasts,
  path: 'lists/$id',
  component: lazyPage(() => import('../broadcasts/lists/list-page.tsx'), 'ListPage'),
});
const unsubscribedRoute = createRoute({
  getParentRoute: broadcasts,
  path: 'unsubscribed',
  component: lazyPage(
    () => import('../broadcasts/lists/unsubscribed-page.tsx'),
    'UnsubscribedPage',
  ),
});
const linksRoute = createRoute({
  getParentRoute: app,
  path: '/links',
  component: lazyPage(() => import('../links/links-page.tsx'), 'LinksPage'),
});
const linkRoute = createRoute({
  getParentRoute: app,
  path: '/links/$slug',
  component: lazyPage(() => import('../links/link-page.tsx'), 'LinkPage'),
});
const groupsRoute = createRoute({
  getParentRoute: app,
  path: '/groups',
  component: lazyPage(() => import('../groups/groups-page.tsx'), 'GroupsPage'),
});
const keysRoute = createRoute({
  getParentRoute: app,
  path: '/keys',
  component: lazyPage(() => import('../keys/keys-page.tsx'), 'KeysPage'),
});
const keyRoute = createRoute({
  getParentRoute: app,
  path: '/keys/$id',
  component: lazyPage(() => import('../keys/key-page.tsx'), 'KeyPage'),
});
const webhooksRoute = createRoute({
  getParentRoute: app,
  path: '/webhooks',
  component: lazyPage(() => import('../webhooks/frame.tsx'), 'WebhooksFrame'),
});
const webhooks = () => webhooksRoute;
const webhookListRoute = createRoute({
  getParentRoute: webhooks,
  path: '/',
  component: lazyPage(() => import('../webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});
const webhookRoute = createRoute({
  getParentRoute: webhooks,
  path: '$id',
  component: lazyPage(() => import('../webhooks/webhook-page.tsx'), 'WebhookPage'),
});
const requestsRoute = createRoute({
  getParentRoute: app,
  path: '/requests',
  component: lazyPage(() => import('../requests/requests-page.tsx'), 'RequestsPage'),
});
const playgroundRoute = createRoute({
  getParentRoute: app,
  path: '/playground',
  component: lazyPage(() => import('../playground/playground-page.tsx'), 'PlaygroundPage'),
});
const topupRoute = createRoute({
  getParentRoute: app,
  path: '/balance/topup',
  component: lazyPage(() => import('../balance/topup/topup-page.tsx'), 'TopupPage'),
});
const topupOrderRoute = createRoute({
  getParentRoute: app,
  path: '/balance/topup/$id',
  component: lazyPage(() => import('../balance/topup/order-page.tsx'), 'OrderPage'),
});
const balanceRoute = createRoute({
  getParentRoute: app,
  path: '/balance',
  component: lazyPage(() => import('../balance/balance-page.tsx'), 'BalancePage'),
});
const teamRoute = createRoute({
  getParentRoute: app,
  path: '/team',
  component: lazyPage(() => import('../team/team-page.tsx'), 'TeamPage'),
});
const auditRoute = createRoute({
  getParentRoute: app,
  path: '/audit',
  component: lazyPage(() => import('../audit/audit-page.tsx'), 'AuditPage'),
});
const companyRoute = createRoute({
  getParentRoute: app,
  path: '/company',
  component: lazyPage(() => import('../company/company-page.tsx'), 'CompanyPage'),
});
const profileRoute = createRoute({
  getParentRoute: app,
  path: '/profile',
  component: lazyPage(() => import('../profile/profile-page.tsx'), 'ProfilePage'),
});

const root = () => rootRoute;
const loginRoute = createRoute({
  getParentRoute: root,
  path: '/login',
  component: lazyPage(() => import('../sign-in/login-page.tsx'), 'LoginPage'),
});
const signUpRoute = createRoute({
  getParentRoute: root,
  path: '/signup',
  component: lazyPage(() => import('../sign-in/sign-up-page.tsx'), 'SignUpPage'),
});
const forgotRoute = createRoute({
  getParentRoute: root,
  path: '/forgot-password',
  component: lazyPage(() => import('../sign-in/password-pages.tsx'), 'ForgotPage'),
});
const resetRoute = createRoute({
  getParentRoute: root,
  path: '/reset-password',
  component: lazyPage(() => import('../sign-in/password-pages.tsx'), 'ResetPage'),
});
const finishSignUpRoute = createRoute({
  getParentRoute: root,
  path: '/finish-sign-up',
  component: lazyPage(() => import('../sign-in/confirm-page.tsx'), 'FinishSignUpPage'),
});
const confirmRoute = createRoute({
  getParentRoute: root,
  path: '/confirm-email',
  component: lazyPage(() => import('../sign-in/confirm-page.tsx'), 'ConfirmPage'),
});
const inviteRoute = createRoute({
  getParentRoute: root,
  path: '/invite',
  component: lazyPage(() => import('../sign-in/invitation-page.tsx'), 'InvitationPage'),
});

const adminRoute = createRoute({
  getParentRoute: root,
  path: '/admin',
  beforeLoad: async ({ location }) => {
    const requireOperator = await importPart(
      () => import('../admin/session.ts'),
      'requireOperator',
    );
    await requireOperator(location.href);
  },
  component: lazyPage(() => import('../admin/desk-layout.tsx'), 'DeskLayout'),
});
/** The sections are in `admin/sections.ts`: the first part of the path names one. */
const adminSectionRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '$',
  component: lazyPage(() => import('../admin/section-page.tsx'), 'SectionPage'),
});
const adminLoginRoute = createRoute({
  getParentRoute: root,
  path: '/admin/login',
  component: lazyPage(() => import('../admin/login-page.tsx'), 'DeskLoginPage'),
});
const adminWelcomeRoute = createRoute({
  getParentRoute: root,
  path: '/admin/welcome',
  component: lazyPage(() => import('../admin/welcome-page.tsx'), 'WelcomePage'),
});

export const routeTree = rootRoute.addChildren([
  appRoute.addChildren([
    overviewRoute,
    startRoute,
    messagesRoute.addChildren([messageRoute]),
    broadcastsRoute.addChildren([
      broadcastListRoute,
      recipientListsRoute,
      recipientListRoute,
      unsubscribedRoute,
      broadcastRoute,
    ]),
    linksRoute,
    linkRoute,
    groupsRoute,
    keysRoute,
    keyRoute,
    webhooksRoute.addChildren([webhookListRoute, webhookRoute]),
    requestsRoute,
    playgroundRoute,
    topupRoute,
    topupOrderRoute,
    balanceRoute,
    teamRoute,
    auditRoute,
    companyRoute,
    profileRoute,
  ]),
  adminRoute.addChildren([adminSectionRoute]),
  adminLoginRoute,
  adminWelcomeRoute,
  newCompanyRoute,
  loginRoute,
  signUpRoute,
  forgotRoute,
  resetRoute,
  finishSignUpRoute,
  confirmRoute,
  inviteRoute,
]);
