import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, useForm } from 'react-hook-form'
import type { z } from 'zod'
import type { ProblemCode } from '#contract/problem.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { findDraft } from '#web/shared/draft.ts'
import { toast } from '#web/ui/toast.tsx'
import { listDiffering, toSentChanges } from './changed-fields.ts'
import { contractResolver } from './contract-resolver.ts'
import { showFieldProblems, toProblem } from './show-problem.ts'
import { useKeptEdits } from './use-kept-edits.ts'
import { useShownRecord } from './use-shown-record.ts'

type RecordFormOptions<Stored, Values extends FieldValues> = {
  stored: Stored
  /** Names the form and its record among the kept edits. */
  draftKey: string
  schema: z.ZodType<Values, Values>
  /** What the form shows of a record. */
  show: (stored: Stored) => Values
  /** The stored values in words, where the form's values are none. */
  describe?: (stored: Stored) => Readonly<Record<string, unknown>>
  /** The refusals that say that the record has changed, where they are not the usual one. */
  staleCodes?: readonly ProblemCode[]
  /** Which edits are kept while another page is open, where that is not all: no secrets. */
  keep?: (values: Values) => Values
  /** Saves what was changed, with what was shown of exactly that; returns the record. */
  send: (edit: { changes: Partial<Values>; was: Partial<Values> }) => Promise<Stored>
  readAgain: () => Promise<Stored>
  /** The toast when it is saved, and when it is not. */
  saved: string | ((stored: Stored) => string)
  failed: (sentence: string) => string
}

type Draft<Stored, Values> = { values: Values; shown: Stored }

/**
 * A form about a record. It follows the record until somebody types. From then on it keeps typed text through failed
 * requests, other tabs of the page, the login of an ended session, and changes in another window. Those are shown
 * before they are overwritten.
 */
export function useRecordForm<Stored, Values extends FieldValues>(
  options: RecordFormOptions<Stored, Values>,
) {
  const { stored, draftKey, schema, show, keep = (values) => values } = options
  const [draft] = useState(() => findDraft<Draft<Stored, Values>>(draftKey))
  const form = useForm<Values, unknown, Values>({
    mode: 'onTouched',
    resolver: contractResolver(schema),
    // Complete values are default values too; the type cannot tell for a type parameter.
    defaultValues: (draft?.values ?? show(stored)) as DefaultValues<Values>,
  })
  const { shown, overtaken, showing, follow, overtake, takeStored } = useShownRecord({
    form,
    first: draft?.shown ?? stored,
    show,
    ...(options.describe && { describe: options.describe }),
    ...(options.staleCodes && { staleCodes: options.staleCodes }),
  })
  const { mutateAsync } = useMutation({ mutationFn: options.send })
  const values = form.watch()
  const isEdited = listDiffering(values, show(shown)).length > 0
  const kept = keep(values)
  const isKept = listDiffering(kept, show(shown)).length > 0
  const isRestored = useKeptEdits(draftKey, isKept ? { values: kept, shown } : null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a record that was read anew is followed
  useEffect(() => {
    if (!isEdited && stored !== shown) follow(stored)
  }, [stored])

  const save = form.handleSubmit(async (checked) => {
    try {
      const changed = await mutateAsync(toSentChanges<Values, Values>(checked, show(shown)))
      toast.success(typeof options.saved === 'string' ? options.saved : options.saved(changed))
      follow(changed)
    } catch (error) {
      const problem = toProblem(error)
      if (await overtake(problem, options.readAgain)) return
      toast.error(options.failed(problem.message))
      const fields = Object.keys(show(shown)) as FieldPath<Values>[] // the forms are flat
      if (!showFieldProblems(withFlatPaths(problem), form.setError, fields)) {
        form.setError('root', { message: problem.message })
      }
    }
  })

  const discard = () => follow(stored)
  const discardRestored = isRestored ? discard : undefined
  return { form, values, shown, save, isEdited, overtaken, showing, takeStored, discard, discardRestored }
}

/** `reminder_settings.hours` is the field `hours` of its form. */
function withFlatPaths(problem: ApiProblem): ApiProblem {
  const errors = problem.errors.map(({ path, message }) => ({
    path: path.split('.').at(-1) ?? path,
    message,
  }))
  return new ApiProblem({ code: problem.code, status: problem.status, title: problem.message, errors })
}
