import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import * as at from '#contract/operations/addresses.ts'
import { PROBLEMS } from '#contract/problem.ts'
import type { Profile, ProfileChanges } from '#contract/profile.ts'
import { listDiffering, toSentChanges } from '#web/kit/changed-fields.ts'
import { contractResolver } from '#web/kit/contract-resolver.ts'
import { showFieldProblems, toProblem } from '#web/kit/show-problem.ts'
import { useKeptEdits } from '#web/kit/use-kept-edits.ts'
import { useShownRecord } from '#web/kit/use-shown-record.ts'
import type { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { findDraft } from '#web/shared/draft.ts'
import { toast } from '#web/ui/toast.tsx'
import { type ProfileForm, profileForm, toProfileForm } from './profile-form.ts'
import { profileQuery } from './profile-queries.ts'

type ProfileDraft = { values: ProfileForm; shown: Profile }

const FIELDS = ['first_name', 'last_name', 'email', 'phone', 'time_zone', 'bio', 'current_password'] as const

/** The form of a profile: shown, edited, saved or cancelled. Source: rule U11. */
export function useProfileForm(profile: Profile, onSaved: () => void) {
  const client = useQueryClient()
  const draftKey = `profile:${profile.id}`
  const [draft] = useState(() => findDraft<ProfileDraft>(draftKey))
  const [editing, setEditing] = useState(draft !== undefined)
  const form = useForm({
    mode: 'onTouched',
    resolver: contractResolver(profileForm),
    defaultValues: draft?.values ?? toProfileForm(profile),
  })
  const { setError } = form
  const { shown, overtaken, follow, overtake, takeStored } = useShownRecord({
    form,
    first: draft?.shown ?? profile,
    show: toProfileForm,
    describe: ({ time_zone }) => ({ time_zone }),
  })
  // Without the password, which has to be typed again.
  const values: ProfileForm = { ...form.watch(), current_password: '' }
  const isEdited = editing && listDiffering(values, toProfileForm(shown)).length > 0
  const isRestored = useKeptEdits(draftKey, isEdited ? { values, shown } : null)
  const { mutateAsync } = useMutation({
    mutationFn: (body: ProfileChanges) => callApi(at.updateProfile, { body }),
  })

  // While nobody edits, the form shows the stored values; edited, it keeps the typed ones.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another profile, or the end of editing, matters
  useEffect(() => {
    if (!editing) follow(profile)
  }, [editing, profile])

  const edit = () => setEditing(true)
  const cancel = () => setEditing(false)

  /** Says why nothing was saved. Typed text stays. */
  const showRefusal = async (problem: ApiProblem) => {
    if (await overtake(problem, () => client.fetchQuery({ ...profileQuery, staleTime: 0 }))) return
    toast.error('Failed to update profile')
    if (!showFieldProblems(problem, setError, FIELDS)) setError('root', { message: problem.message })
  }

  const save = form.handleSubmit(async ({ current_password, ...fields }) => {
    const { changes, was } = toSentChanges(fields, shown)
    if (changes.email !== undefined && current_password === '') {
      const message = PROBLEMS['account.password_required'].title
      setError('current_password', { message }, { shouldFocus: true })
      return
    }
    const proof = changes.email === undefined ? {} : { current_password }
    try {
      client.setQueryData(profileQuery.queryKey, await mutateAsync({ ...changes, was, ...proof }))
    } catch (error) {
      await showRefusal(toProblem(error))
      return
    }
    cancel()
    // The notice about it may be out of sight, above the form.
    if (changes.email === undefined) toast.success('Profile updated successfully!')
    else toast.info(`Almost done: please open the link that we have sent to ${changes.email}.`)
    onSaved()
  })

  const discardRestored = isRestored ? cancel : undefined
  return { form, editing, isEdited, edit, cancel, save, overtaken, takeStored, discardRestored }
}
