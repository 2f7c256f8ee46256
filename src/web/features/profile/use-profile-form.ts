import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { PROBLEMS } from '#contract/problem.ts'
import type { Profile, ProfileChanges } from '#contract/profile.ts'
import { contractResolver } from '#web/app/kit/contract-resolver.ts'
import { findDraft, forgetDraft, keepDraft } from '#web/app/kit/draft.ts'
import { showFieldProblems, toProblem } from '#web/app/kit/show-problem.ts'
import { type ApiProblem, sendJson } from '#web/shared/api-client.ts'
import { toast } from '#web/ui/toast.tsx'
import {
  type ProfileForm,
  profileForm,
  type ShownProfile,
  toProfileForm,
  toShownProfile,
} from './profile-form.ts'
import { PROFILE_PATH, profileQuery } from './profile-queries.ts'

type ProfileDraft = { values: ProfileForm; was: ShownProfile }

const FIELDS = ['first_name', 'last_name', 'email', 'phone', 'time_zone', 'bio', 'current_password'] as const

/** The form of a profile: shown, edited, saved or given up. Source: spec §2 "Profile", §8 "Profile". */
export function useProfileForm(profile: Profile, onSaved: () => void) {
  const client = useQueryClient()
  const draftKey = `profile:${profile.id}`
  const [draft] = useState(() => findDraft<ProfileDraft>(draftKey))
  const [editing, setEditing] = useState(draft !== undefined)
  const [was, setWas] = useState(draft?.was ?? toShownProfile(profile))
  const form = useForm({
    resolver: contractResolver(profileForm),
    defaultValues: draft?.values ?? toProfileForm(profile),
  })
  const { reset, setError } = form
  const { mutateAsync } = useMutation({
    mutationFn: (body: ProfileChanges) => sendJson<Profile>('PATCH', PROFILE_PATH, body),
  })

  // While nobody edits, the form shows what is stored; edited, it keeps what is typed.
  useEffect(() => {
    if (!editing) reset(toProfileForm(profile))
  }, [editing, profile, reset])

  const edit = () => {
    setWas(toShownProfile(profile))
    setEditing(true)
  }
  const cancel = () => {
    forgetDraft(draftKey)
    setEditing(false)
  }

  /** Tells why nothing was saved; what was typed stays. */
  const showRefusal = async (problem: ApiProblem, values: ProfileForm) => {
    toast.error('Failed to update profile')
    // The password is not kept: whoever comes back types it again.
    if (problem.code === 'auth.required')
      keepDraft(draftKey, { values: { ...values, current_password: '' }, was })
    const placed = showFieldProblems(problem, setError, FIELDS)
    const isStale = problem.code === 'request.changed_meanwhile'
    if (!placed || isStale) setError('root', { message: problem.message })
    if (!isStale) return
    // What is there now has been announced: saving again is meant.
    const now = await client.fetchQuery({ ...profileQuery, staleTime: 0 }).catch(() => null)
    if (now !== null) setWas(toShownProfile(now))
  }

  const save = form.handleSubmit(async (values) => {
    const { email, current_password, ...rest } = values
    const address = email === was.email ? {} : { email, current_password }
    if (address.current_password === '') {
      const message = PROBLEMS['account.password_required'].title
      setError('current_password', { message }, { shouldFocus: true })
      return
    }
    try {
      client.setQueryData(profileQuery.queryKey, await mutateAsync({ ...rest, was, ...address }))
    } catch (error) {
      await showRefusal(toProblem(error), values)
      return
    }
    cancel()
    // The notice about it may be out of sight, above the form.
    if (email === was.email) toast.success('Profile updated successfully!')
    else toast.info(`Almost done: please open the link that we have sent to ${email}.`)
    onSaved()
  })

  return { form, editing, edit, cancel, save }
}
