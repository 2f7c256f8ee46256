import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Profile } from '#contract/accounts/profile.ts'
import * as at from '#contract/operations/addresses.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { listDiffering, toSentChanges } from '#web/kit/changed-fields.ts'
import { useRecordForm } from '#web/kit/use-record-form.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { type ProfileForm, profileForm, toProfileForm } from './profile-form.ts'
import { profileQuery } from './profile-queries.ts'

/** The form of a profile: shown, edited, saved or cancelled. Source: rule U11. */
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
      const { changes, was } = toSentChanges(fields, shown)
      const proof = changes.email === undefined ? {} : { current_password }
      const saved = await callApi(at.updateProfile, { body: { ...changes, was, ...proof } })
      client.setQueryData(profileQuery.queryKey, saved)
      return saved
    },
    readAgain: () => client.fetchQuery({ ...profileQuery, staleTime: 0 }),
    onSaved: (_saved, { values: { email }, shown }) => {
      setEditing(false)
      // The notice about it may be out of sight, above the form.
      if (email === shown.email) toast.success('Profile updated successfully!')
      else toast.info(`Almost done: please open the link that we have sent to ${email}.`)
      onSaved()
    },
    failed: () => 'Failed to update profile',
  })
  const isEdited = listDiffering(withoutPassword(record.values), toProfileForm(record.shown)).length > 0
  // Edits from before are shown at once.
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

/** The password proves who changes the address. It is no edit, and has to be typed again after a login. */
function withoutPassword(values: ProfileForm): ProfileForm {
  return { ...values, current_password: '' }
}
