import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { NotificationChanges, Profile } from '#contract/accounts/profile.ts'
import * as at from '#contract/operations/addresses.ts'
import { LoadError } from '#web/kit/load-error.tsx'
import { LoadingShape } from '#web/kit/loading-shape.tsx'
import { callApi } from '#web/shared/call-api.ts'
import { toReadableAddress } from '#web/shared/readable-address.ts'
import { Card } from '#web/ui/card.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'
import { NotificationsPlaceholder } from './profile-placeholders.tsx'
import { profileQuery } from './profile-queries.ts'

/** The messages an owner can switch off, with what each tells. Source: rule M12. */
const MESSAGES = [
  {
    setting: 'notify_bookings',
    label: 'New bookings',
    hint: 'When a customer books a time on one of your calendars.',
  },
  {
    setting: 'notify_cancellation_requests',
    label: 'Cancellation requests',
    hint: 'When a customer asks to cancel and waits for your answer.',
  },
  {
    setting: 'notify_cancellations',
    label: 'Cancellations',
    hint: 'When an appointment is cancelled: your own copy of what the customer was told.',
  },
] as const

/** Which messages the owner gets. */
export function NotificationsPanel() {
  const { data: profile, error, refetch } = useQuery(profileQuery)
  return (
    <Card
      title="Notifications"
      description={profile && `Which emails we send to ${toReadableAddress(profile.email)}.`}
    >
      {profile === undefined && error === null && (
        <LoadingShape text="Loading your profile...">
          <NotificationsPlaceholder count={MESSAGES.length} />
        </LoadingShape>
      )}
      {profile === undefined && error !== null && (
        <LoadError
          error={error}
          title="Failed to load profile data"
          hint={error.message}
          onRetry={() => refetch()}
        />
      )}
      {profile !== undefined && (
        <>
          <ul className="divide-y divide-line">
            {MESSAGES.map((message) => (
              <li key={message.setting} className="py-4 first:pt-0">
                <MessageSwitch profile={profile} {...message} />
              </li>
            ))}
          </ul>
          <p className="border-t border-line pt-4 text-sm text-ink-soft">
            Messages about your account itself, such as a new password or address, are always sent. Your
            customers get theirs whatever you choose here.
          </p>
        </>
      )}
    </Card>
  )
}

type MessageSwitchProps = (typeof MESSAGES)[number] & { profile: Profile }

/** One setting, saved at once. While it is saved it shows the new value; after a refusal, the stored one. */
function MessageSwitch({ profile, setting, label, hint }: MessageSwitchProps) {
  const client = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (on: boolean) => {
      const changes: NotificationChanges = { [setting]: on }
      return callApi(at.updateNotifications, { body: changes })
    },
    onSuccess: (saved) => {
      client.setQueryData(profileQuery.queryKey, (known) => known && { ...known, [setting]: saved[setting] })
      toast.success('Notification settings saved')
    },
    onError: (error) => toast.error(`Failed to save notification settings: ${error.message}`),
  })
  return (
    <Switch
      label={label}
      hint={hint}
      checked={isPending ? variables : profile[setting]}
      onChange={(on) => {
        if (!isPending) mutate(on)
      }}
    />
  )
}
