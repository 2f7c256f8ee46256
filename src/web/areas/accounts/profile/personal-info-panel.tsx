import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useMemo, useRef } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import type { Profile } from '#contract/accounts/profile.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { ButtonPlaceholder, FieldPlaceholder } from '#web/kit/loading-shape.tsx'
import { SaveButton } from '#web/kit/save-button.tsx'
import { callApi } from '#web/shared/call-api.ts'
import { timeZoneOptions } from '#web/shared/time-zone-options.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { Pencil } from '#web/ui/icons/pencil.ts'
import { Notice } from '#web/ui/notice.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { profileQuery } from './profile-queries.ts'
import {
  DEFAULT_PROFILE_TIME_ZONE,
  PROFILE_CARD_HEADING,
  PROFILE_FIELD_LABELS,
  useProfileForm,
} from './use-profile-form.ts'

/**
 * Lets the owner see and edit their personal information. Other pages may show the name, so `onSaved` must refresh them. Source:
 * rule U11.
 */
export function PersonalInfoPanel({ onSaved }: { onSaved: () => void }) {
  const query = useQuery(profileQuery)
  const { data: profile } = query
  if (profile !== undefined) return <PersonalInfoForm profile={profile} onSaved={onSaved} />
  return (
    <Card {...PROFILE_CARD_HEADING} actions={query.error === null && <ButtonPlaceholder className="w-38" />}>
      <LoadStatus query={query} loading="Loading your profile..." failed="Failed to load profile data">
        <PersonalInfoPlaceholder />
      </LoadStatus>
    </Card>
  )
}

/** Shows the profile. The owner can edit it after clicking 'Edit Profile'. */
function PersonalInfoForm({ profile, onSaved }: { profile: Profile; onSaved: () => void }) {
  const formId = useId()
  const record = useProfileForm(profile, onSaved)
  const { form, editing, isEdited, edit, cancel, save } = record
  const { register, control, formState } = form
  const { errors, isSubmitting } = formState
  const email = useWatch({ control, name: 'email' }).trim().toLowerCase()
  const zones = useMemo(
    () => timeZoneOptions(profile.time_zone ?? DEFAULT_PROFILE_TIME_ZONE),
    [profile.time_zone],
  )
  const movesAddress = editing && email !== profile.email
  const readOnly = { disabled: !editing }
  const fields = useRef<HTMLFormElement>(null)
  const editButton = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(editing)
  // Move the focus, because the button that was clicked disappears.
  useEffect(() => {
    if (wasEditing.current === editing) return
    wasEditing.current = editing
    if (editing) fields.current?.querySelector('input')?.focus()
    // Leave the focus where it is if the owner has moved it meanwhile.
    else if (document.activeElement === document.body) editButton.current?.focus()
  }, [editing])

  return (
    <Card
      {...PROFILE_CARD_HEADING}
      actions={
        !editing && (
          <Button ref={editButton} onClick={edit}>
            <Pencil aria-hidden="true" className="size-4" />
            Edit Profile
          </Button>
        )
      }
    >
      <form ref={fields} id={formId} noValidate onSubmit={save} className="grid gap-5 sm:grid-cols-2">
        {profile.pending_email !== null && (
          <PendingEmailNotice email={profile.email} pendingEmail={profile.pending_email} />
        )}
        <FormNotices record={record} labels={PROFILE_FIELD_LABELS} className="sm:col-span-2" />
        <TextField
          label={PROFILE_FIELD_LABELS.first_name}
          required
          autoComplete="given-name"
          maxLength={LIMITS.personName}
          error={errors.first_name?.message}
          {...register('first_name')}
          {...readOnly}
        />
        <TextField
          label={PROFILE_FIELD_LABELS.last_name}
          autoComplete="family-name"
          maxLength={LIMITS.personName}
          error={errors.last_name?.message}
          {...register('last_name')}
          {...readOnly}
        />
        <TextField
          label={PROFILE_FIELD_LABELS.email}
          required
          type="email"
          autoComplete="email"
          maxLength={LIMITS.email}
          className={movesAddress ? undefined : 'sm:col-span-2'}
          error={errors.email?.message}
          {...register('email')}
          {...readOnly}
        />
        {movesAddress && (
          <PasswordField
            label="Current password"
            maxLength={LIMITS.passwordMax}
            hint="To change your address, enter your password. The change takes effect when you open the link we send to the new address."
            error={errors.current_password?.message}
            {...register('current_password')}
          />
        )}
        <TextField
          label={PROFILE_FIELD_LABELS.phone}
          type="tel"
          autoComplete="tel"
          maxLength={LIMITS.phone}
          error={errors.phone?.message}
          {...register('phone')}
          {...readOnly}
        />
        <Controller
          control={control}
          name="time_zone"
          render={({ field, fieldState }) => (
            <Combobox
              label={PROFILE_FIELD_LABELS.time_zone}
              options={zones}
              value={field.value}
              onChange={field.onChange}
              error={fieldState.error?.message}
              {...readOnly}
            />
          )}
        />
        <TextArea
          label={PROFILE_FIELD_LABELS.bio}
          maxLength={LIMITS.bio}
          className="sm:col-span-2"
          error={errors.bio?.message}
          {...register('bio')}
          {...readOnly}
        />
        {editing && (
          <div className="flex flex-wrap justify-end gap-3 sm:col-span-2">
            <Button onClick={cancel}>Cancel</Button>
            <SaveButton isEdited={isEdited} pending={isSubmitting}>
              Save
            </SaveButton>
          </div>
        )}
      </form>
    </Card>
  )
}

/** Shows a new email address that is not confirmed yet, with a button to cancel the change. */
function PendingEmailNotice({ email, pendingEmail }: { email: string; pendingEmail: string }) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => callApi(at.cancelEmailChange),
    onSuccess: () => {
      client.setQueryData(profileQuery.queryKey, (known) => known && { ...known, pending_email: null })
      toast.success('Your email address won’t change.')
    },
    onError: (error) => toast.error(`Failed to cancel the change: ${error.message}`),
  })
  return (
    <Notice
      role="status"
      className="sm:col-span-2"
      title={<span className="break-words">We’ve sent a link to {pendingEmail}</span>}
      action={
        <Button size="sm" pending={isPending} pendingLabel="Cancelling..." onClick={() => mutate()}>
          Cancel change
        </Button>
      }
    >
      Your address changes when you open it. Until then, log in with{' '}
      <span className="break-words">{email}</span>.
    </Notice>
  )
}

/** The placeholder of `PersonalInfoForm`. */
function PersonalInfoPlaceholder() {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <FieldPlaceholder />
      <FieldPlaceholder />
      <FieldPlaceholder className="sm:col-span-2" />
      <FieldPlaceholder />
      <FieldPlaceholder />
      <FieldPlaceholder className="sm:col-span-2" controlClass="h-24" />
    </div>
  )
}
