import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { editableProfileFields, type Profile } from '#contract/accounts/profile.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { listDifferingFields, toPartialUpdate } from '#web/kit/changed-fields.ts'
import { useRecordForm } from '#web/kit/use-record-form.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { profileQuery } from './profile-queries.ts'

/** Manages the form that shows, edits and saves a profile. Source: rule U11. */
export function useProfileForm(profile: Profile, onSaved: () => void) {
  const client = useQueryClient()
  const record = useRecordForm<Profile, ProfileForm>({
    stored: profile,
    draftKey: `profile:${profile.id}`,
    schema: profileForm,
    show: toProfileForm,
    describe: ({ time_zone }) => ({ time_zone }),
    keep: withoutPassword,
    check: ({ email, current_password }, shown) => {
      if (email === shown.email || current_password !== '') return null
      return { field: 'current_password', message: PROBLEMS['account.password_required'].title }
    },
    send: async ({ current_password, ...fields }, shown) => {
      const { changes, was } = toPartialUpdate(fields, shown)
      const proof = changes.email === undefined ? {} : { current_password }
      const saved = await callApi(at.updateProfile, { body: { ...changes, was, ...proof } })
      client.setQueryData(profileQuery.queryKey, saved)
      return saved
    },
    readAgain: () => client.fetchQuery({ ...profileQuery, staleTime: 0 }),
    onSaved: (_saved, { values: { email }, shown }) => {
      setEditing(false)
      // A toast confirms the change, because the notice above the form may be scrolled out of view.
      if (email === shown.email) toast.success('Profile updated successfully!')
      else toast.info(`Almost done: please open the link we’ve sent to ${email}.`)
      onSaved()
    },
    failed: () => 'Failed to update profile',
  })
  const isEdited = listDifferingFields(withoutPassword(record.values), toProfileForm(record.shown)).length > 0
  // If unsaved edits were restored, the form opens in edit mode.
  const [editing, setEditing] = useState(isEdited)
  const edit = () => setEditing(true)
  const cancel = () => {
    setEditing(false)
    record.discard()
  }
  return {
    ...record,
    isEdited,
    editing,
    edit,
    cancel,
    discardRestored: record.discardRestored && cancel,
  }
}

/** Removes the password. It only confirms that the owner is changing the email address, and must be typed again after a login. */
function withoutPassword(values: ProfileForm): ProfileForm {
  return { ...values, current_password: '' }
}

/** The values of the form. The password is required only to change the email address. */
const profileForm = z.object({
  ...editableProfileFields,
  current_password: z.string().max(LIMITS.passwordMax),
})
type ProfileForm = z.input<typeof profileForm>

/** The default time zone of a profile. Source: rule U12. */
export const DEFAULT_PROFILE_TIME_ZONE = 'America/New_York'

/** Converts a profile to the values of its form. */
function toProfileForm(profile: Profile): ProfileForm {
  return {
    first_name: profile.first_name,
    last_name: profile.last_name,
    email: profile.email,
    phone: profile.phone ?? '',
    time_zone: profile.time_zone ?? DEFAULT_PROFILE_TIME_ZONE,
    bio: profile.bio ?? '',
    current_password: '',
  }
}

/** Title and description of the card, also shown while the profile loads. */
export const PROFILE_CARD_HEADING = {
  title: 'Personal Info',
  description: 'Your details with us. You set what customers see in each calendar.',
} as const

export const PROFILE_FIELD_LABELS = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  phone: 'Phone',
  time_zone: 'Time zone',
  bio: 'Bio',
} as const
