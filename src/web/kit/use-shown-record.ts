import { useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { ProblemCode } from '#contract/shared/problem.ts'
import type { ApiProblem } from '#web/shared/api-client.ts'
import { findOvertaken } from './changed-fields.ts'

/** What another window has saved meanwhile: the fields that differ now, and their values in words. */
export type Overtaken = {
  readonly stored: Readonly<Record<string, unknown>>
  readonly differing: readonly string[]
}

type ShownRecordOptions<Shown, Values extends FieldValues> = {
  form: Pick<UseFormReturn<Values>, 'getValues' | 'reset'>
  /** What the form is filled with first. */
  first: Shown
  /** The values of the form for a record. */
  show: (record: Shown) => Values
  /** The values of a record, for people, where they differ from the form's values. */
  describe?: (record: NonNullable<Shown>) => Readonly<Record<string, unknown>>
  /** The refusals that say that the record has changed. */
  staleCodes?: readonly ProblemCode[]
}

/**
 * What a form showed before somebody typed. Only changed fields are sent, with what was shown of exactly those. A
 * change in another window is shown before it is overwritten, and untouched fields follow it. Source: rule X4.
 */
export function useShownRecord<Shown, Values extends FieldValues>(
  options: ShownRecordOptions<Shown, Values>,
) {
  const { form, show, describe, staleCodes = ['request.changed_meanwhile'] } = options
  const [shown, setShown] = useState(options.first)
  const [overtaken, setOvertaken] = useState<Overtaken | null>(null)
  const [showing, setShowing] = useState(0)

  const fill = (record: Shown, values: Values) => {
    setShown(record)
    setShowing((count) => count + 1)
    form.reset(values)
  }
  const follow = (record: Shown) => {
    setOvertaken(null)
    fill(record, show(record))
  }
  return {
    shown,
    /** Changes whenever the form is filled again; a key for fields with a state of their own. */
    showing,
    overtaken,
    /** Shows a record and drops what was typed. */
    follow,
    /** Takes what is stored instead of what was typed. */
    takeStored: () => follow(shown),
    /**
     * Loads the record again when a refusal says that it has changed, and shows the differences. Returns whether it
     * did: when the record cannot be loaded, saving again is still compared with what the form showed.
     */
    overtake: async (
      problem: ApiProblem,
      read: () => Promise<NonNullable<Shown> | undefined>,
    ): Promise<boolean> => {
      if (!staleCodes.some((code) => code === problem.code)) return false
      const record = await read().catch(() => undefined)
      if (record === undefined) return false
      const stored = show(record)
      const { values, differing } = findOvertaken({ stored, was: show(shown), typed: form.getValues() })
      setOvertaken({ stored: { ...stored, ...describe?.(record) }, differing })
      fill(record, values)
      return true
    },
  }
}
