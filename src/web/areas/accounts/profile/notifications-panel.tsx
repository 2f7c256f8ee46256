import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NotificationChanges, Profile } from '#contract/accounts/profile.ts'
import * as at from '#contract/operations/addresses.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder, RepeatedPlaceholder, SwitchPlaceholder } from '#web/kit/loading-shape.tsx'
import { callApi } from '#web/shared/call-api.ts'
import { toReadableEmailAddress } from '#web/shared/readable-address.ts'
import { Card } from '#web/ui/card.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'
import { profileQuery } from './profile-queries.ts'

/** The emails that an owner can turn off. Source: rule M12. */
const MESSAGES = [
  {
    setting: 'notify_bookings',
    label: 'New bookings',
    hint: 'When a customer books a time on one of your calendars.',
  },
  {
    setting: 'notify_cancellation_requests',
    label: 'Cancellation requests',
    hint: 'When a customer asks to cancel and you need to answer.',
  },
  {
    setting: 'notify_cancellations',
    label: 'Cancellations',
    hint: 'When an appointment is cancelled: a copy of what we tell the customer.',
  },
] as const

/** Lets the owner choose which emails they receive. */
export function NotificationsPanel() {
  const query = useQuery(profileQuery)
  const { data: profile } = query
  return (
    <Card
      title="Notifications"
      description={profile && `Which emails we send to ${toReadableEmailAddress(profile.email)}.`}
    >
      <LoadStatus query={query} loading="Loading your profile..." failed="Failed to load profile data">
        <NotificationsPlaceholder count={MESSAGES.length} />
      </LoadStatus>
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
            We always email you about your account itself, such as a new password or address. Your customers’
            emails aren’t affected by this.
          </p>
        </>
      )}
    </Card>
  )
}

type MessageSwitchProps = (typeof MESSAGES)[number] & { profile: Profile }

/**
 * Lets the owner turn one kind of email on or off, which is saved immediately. Shows the new value while saving, and the stored
 * value again if the request fails.
 */
function MessageSwitch({ profile, setting, label, hint }: MessageSwitchProps) {
  const client = useQueryClient()
  const [saving, setSaving] = useState<boolean | null>(null)
  const { mutate } = useMutation({
    mutationFn: (on: boolean) => {
      const changes: NotificationChanges = { [setting]: on }
      return callApi(at.updateNotifications, { body: changes })
    },
    onSuccess: (saved) => {
      client.setQueryData(profileQuery.queryKey, (known) => known && { ...known, [setting]: saved[setting] })
      toast.success('Notification settings saved')
    },
    onError: (error) => toast.error(`Failed to save notification settings: ${error.message}`),
    onSettled: () => setSaving(null),
  })
  return (
    <Switch
      label={label}
      hint={hint}
      checked={saving ?? profile[setting]}
      onChange={(on) => {
        if (saving !== null) return
        setSaving(on)
        mutate(on)
      }}
    />
  )
}

/** The placeholder of the email address and of `count` switches. */
function NotificationsPlaceholder({ count }: { count: number }) {
  return (
    <>
      {/* These lines take the place of the card's description. */}
      <div className="-mt-3 mb-4">
        <LinePlaceholder className="w-80" />
        <LinePlaceholder className="w-36 sm:hidden" />
      </div>
      <div className="divide-y divide-line">
        <RepeatedPlaceholder count={count}>
          <div className="py-4 first:pt-0">
            <SwitchPlaceholder />
          </div>
        </RepeatedPlaceholder>
      </div>
      <div className="border-t border-line pt-4">
        <LinePlaceholder size="sm" className="w-full" />
        <LinePlaceholder size="sm" className="w-1/2" />
      </div>
    </>
  )
}
