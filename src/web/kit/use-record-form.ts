import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, useForm } from 'react-hook-form'
import type { z } from 'zod'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { deleteDraft, findDraft, storeDraft } from '#web/shared/draft.ts'
import { listDifferingFields } from './changed-fields.ts'
import { schemaResolver } from './contract-resolver.ts'
import { showFieldProblems, toProblem } from './show-problem.ts'
import { useFormBaseRecord } from './use-shown-record.ts'
import { useKeepUnsavedEdits } from './use-unsaved-edits.ts'

/** Unsaved form values, and the record on which they are based. */
export type RecordDraft<Stored, Input> = { values: Input; shown: Stored }

type RecordFormOptions<Stored, Input extends FieldValues, Output extends FieldValues> = {
  /** The record to change, or null (if the type allows it) for a new one. */
  stored: Stored
  /** The key of the form's draft. */
  draftKey: string
  schema: z.ZodType<Output, Input>
  /** When a field is validated: after the user leaves it, or only on submit. */
  mode?: 'onTouched' | 'onSubmit'
  /** Converts a record to the form's values. */
  show: (stored: Stored) => Input
  /** Converts the stored values to readable text, for fields whose form values are not readable. */
  describe?: (stored: NonNullable<Stored>) => Readonly<Record<string, unknown>>
  /** The fields that can show a server error. Defaults to all fields. */
  fields?: readonly FieldPath<Input>[]
  /** Whether unsaved edits survive a visit to any other page, or (for dialogs) only a new login. */
  keepFor?: 'other_pages' | 'login'
  /** Removes secrets from the edits before they are kept. */
  keep?: (values: Input) => Input
  /** Validates the values against the shown record before the request is sent. */
  check?: (values: Output, shown: Stored) => { field: FieldPath<Input>; message: string } | null
  /** Saves the values and returns the record to show next (null to start another new record). */
  send: (values: Output, shown: Stored) => Promise<Stored>
  /** The error codes which mean that the record has changed. Defaults to the general code. */
  staleCodes?: readonly ProblemCode[]
  /** Reloads the record after such an error. Returns undefined if the record was deleted. */
  readAgain: (shown: Stored) => Promise<NonNullable<Stored> | undefined>
  onSaved: (saved: Stored, sent: { values: Output; shown: Stored }) => void | Promise<void>
  /** Returns the text after a failure that does not concern a single field. */
  failed: (sentence: string) => string
}

/**
 * Manages a form that changes or creates a record. The form shows updates of the record until the user types. From then on, the
 * typed text survives failed requests, a new login, visits to other pages and concurrent changes, which are shown before the user
 * can overwrite them. Source: rules U30, X4.
 */
export function useRecordForm<Stored, Input extends FieldValues, Output extends FieldValues = Input>(
  options: RecordFormOptions<Stored, Input, Output>,
) {
  const { stored, draftKey, show, describe, keepFor = 'other_pages', keep = (values) => values } = options
  const [draft] = useState(() => findDraft<RecordDraft<Stored, Input>>(draftKey))
  const form = useForm<Input, unknown, Output>({
    mode: options.mode ?? 'onTouched',
    resolver: schemaResolver(options.schema),
    // Complete values are valid default values. The cast is needed because TypeScript cannot see that for a type parameter.
    defaultValues: (draft?.values ?? show(stored)) as DefaultValues<Input>,
  })
  const { shown, overtaken, showing, follow, overtake, takeStored } = useFormBaseRecord({
    form,
    first: draft?.shown ?? stored,
    show,
    ...(describe && { describe }),
    ...(options.staleCodes && { staleCodes: options.staleCodes }),
  })
  const { mutateAsync } = useMutation({
    mutationFn: (sent: { values: Output; shown: Stored }) => options.send(sent.values, sent.shown),
  })
  const values = form.watch()
  const isEdited = listDifferingFields(values, show(shown)).length > 0
  const toDraft = (typed: Input): RecordDraft<Stored, Input> => ({ values: keep(typed), shown })
  const isKept = listDifferingFields(keep(values), show(shown)).length > 0
  const isRestored = useKeepUnsavedEdits({
    key: draftKey,
    edits: isKept ? toDraft(values) : null,
    isOn: keepFor === 'other_pages',
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: this effect must run only when another record has loaded
  useEffect(() => {
    if (!isEdited && stored !== shown) follow(stored)
  }, [stored])

  /** Shows why the record was not saved, and keeps the typed text. */
  const refuse = async (error: unknown) => {
    const problem = toProblem(error)
    if (problem.code === 'auth.required') storeDraft(draftKey, toDraft(form.getValues()))
    if (await overtake(problem, () => options.readAgain(shown))) return
    const fields = options.fields ?? (Object.keys(show(shown)) as FieldPath<Input>[]) // without `fields`, the form must be flat
    if (showFieldProblems(withFieldPaths(problem, fields), form.setError, fields)) return
    form.setError('root', { message: toFailure(options.failed(problem.message), problem) })
  }
  const save = form.handleSubmit(async (checked) => {
    const remark = options.check?.(checked, shown) ?? null
    if (remark !== null) {
      form.setError(remark.field, { message: remark.message }, { shouldFocus: true })
      return
    }
    const sent = { values: checked, shown }
    let saved: Stored
    try {
      saved = await mutateAsync(sent)
    } catch (error) {
      await refuse(error)
      return
    }
    giveUp()
    follow(saved)
    await options.onSaved(saved, sent)
  })
  const giveUp = () => deleteDraft(draftKey)
  const discard = () => follow(stored)
  return {
    form,
    values,
    shown,
    isEdited,
    save,
    overtaken,
    showing,
    takeStored,
    /** Discards the edits and shows the stored record again. */
    discard,
    discardRestored: isRestored ? discard : undefined,
    /** Deletes the unsaved edits when a dialog is closed. */
    giveUp,
  }
}

/** Adds the server's sentence to a text that does not contain it, unless it says nothing in particular. */
function toFailure(text: string, { code, message }: ApiProblem): string {
  if (text.includes(message) || code === 'server.unexpected') return text
  return /[.!]$/.test(text) ? `${text} ${message}` : `${text}: ${message}`
}

/**
 * Maps error paths to fields. `reminder_settings.hours` maps to the field `hours`, unless the form has a field with the full
 * path.
 */
function withFieldPaths(problem: ApiProblem, fields: readonly string[]): ApiProblem {
  const errors = problem.errors.map(({ path, message }) => ({
    path: fields.includes(path) ? path : (path.split('.').at(-1) ?? path),
    message,
  }))
  return new ApiProblem({ code: problem.code, status: problem.status, title: problem.message, errors })
}
