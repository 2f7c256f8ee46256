import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { APP_PAGES } from '#contract/pages/app-pages.ts'
import { AccountPanel } from '#web/areas/accounts/profile/account-panel.tsx'
import { NotificationsPanel } from '#web/areas/accounts/profile/notifications-panel.tsx'
import { PersonalInfoPanel } from '#web/areas/accounts/profile/personal-info-panel.tsx'
import { SecurityPanel } from '#web/areas/accounts/security/security-panel.tsx'
import { sessionQuery } from '#web/areas/accounts/sessions/session-query.ts'
import { describePlanDeletion } from '#web/areas/plans/plan-status.tsx'
import { type SelectableTier, subscriptionQuery } from '#web/areas/plans/subscription-query.ts'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'
import type { ProfileTab } from '#web/shared/paths.ts'
import { Tabs } from '#web/ui/tabs.tsx'
import { SubscriptionTab } from './subscription-tab.tsx'
import { useRefreshPlanAfterPortal } from './use-portal-return.ts'

const profileApi = getRouteApi('/profile')

/** Shows all settings of the owner's account. The URL contains the tab. Source: rule U11. */
export function ProfilePage() {
  const { owner } = profileApi.useRouteContext()
  const { tab = 'personal', plan } = profileApi.useSearch()
  const navigate = profileApi.useNavigate()
  const client = useQueryClient()
  const askWhoIsSignedIn = () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  const askAbout = (wanted: SelectableTier | undefined) =>
    void navigate({
      search: { tab: 'subscription', plan: wanted },
      resetScroll: false,
      replace: wanted === undefined,
    })
  useDocumentTitle(APP_PAGES['/profile'])
  useRefreshPlanAfterPortal()
  const { data: subscription } = useQuery(subscriptionQuery)
  return (
    <main className="mx-auto w-full max-w-7xl flex-1 px-4 py-5 sm:px-6 lg:py-6">
      <div className="flex max-w-4xl flex-col gap-6">
        <h1 className="text-3xl">Profile</h1>
        <Tabs<ProfileTab>
          label="Profile"
          value={tab}
          onChange={(next) => void navigate({ search: { tab: next }, resetScroll: false })}
          tabs={[
            {
              id: 'personal',
              label: 'Personal Info',
              panel: <PersonalInfoPanel onSaved={askWhoIsSignedIn} />,
            },
            {
              id: 'subscription',
              label: 'Subscription',
              panel: <SubscriptionTab owner={owner} wanted={plan} onWant={askAbout} />,
            },
            {
              id: 'account',
              label: 'Account',
              panel: <AccountPanel owner={owner} planNote={describePlanDeletion(subscription)} />,
            },
            { id: 'security', label: 'Security', panel: <SecurityPanel owner={owner} /> },
            { id: 'notifications', label: 'Notifications', panel: <NotificationsPanel /> },
          ]}
        />
      </div>
    </main>
  )
}
