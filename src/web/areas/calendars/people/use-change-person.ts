import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { ChangePersonBody } from '#contract/calendars/people.ts'
import * as at from '#contract/operations/addresses.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { isSameName } from '#core/shared/same-name.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { reloadCalendar, updateCachedCalendar } from '#web/kit/calendar-cache.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { useDebounced } from '#web/kit/use-debounced.ts'
import type { PersonOfCalendar } from '#web/kit/whose-time-fields.tsx'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { overlapsWithPersonQuery, type PersonChoice } from './people-queries.ts'

/** A chosen person who differs from the current one. */
export type ChosenPerson = { readonly who: PersonChoice; readonly isOwner: boolean; readonly name: string }

/** Manages the form that changes the person of a calendar. If the request fails, the choice is kept. */
export function useChangePerson(calendar: Calendar, onChanged: () => void) {
  const { person } = calendar
  const client = useQueryClient()
  const nameRef = useRef<HTMLInputElement>(null)
  const [edited, setEdited] = useState<{ whose?: PersonOfCalendar; name?: string }>({})
  const [nameError, setNameError] = useState<string>()
  const [refusal, setRefusal] = useState<string | null>(null)
  const whose = edited.whose ?? (person.is_owner ? 'mine' : 'other')
  const name = edited.name ?? (person.is_owner ? '' : person.name)
  const typed = whose === 'other' ? name.trim() : ''
  const settled = useDebounced(typed)
  const chosen = choose(calendar, whose, settled)
  const { data: overlaps } = useQuery(overlapsWithPersonQuery(calendar.id, chosen?.who ?? null))
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (body: ChangePersonBody) =>
      callApi(at.changePersonOfCalendar, { params: { id: calendar.id }, body }),
  })

  const edit = (change: { whose?: PersonOfCalendar; name?: string }) => {
    setEdited({ ...edited, ...change })
    setNameError(undefined)
    setRefusal(null)
  }
  const startAnew = () => {
    setEdited({})
    setNameError(undefined)
    setRefusal(null)
  }
  const refuseName = (sentence: string) => {
    setNameError(sentence)
    nameRef.current?.focus()
  }
  const submit = async () => {
    setRefusal(null)
    if (whose === 'other' && typed === '') return refuseName(PROBLEMS['person.name_required'].title)
    // Uses the name as typed, because the debounced name may lag behind.
    const wanted = choose(calendar, whose, typed)
    if (wanted === null) return
    let changed: Calendar
    try {
      changed = await mutateAsync({ ...wanted.who, was: person.id })
    } catch (error) {
      const { code, message } = toProblem(error)
      if (code === 'person.name_required') return refuseName(message)
      setRefusal(message)
      if (code === 'request.changed_meanwhile') await reloadCalendar(client, calendar).catch(() => null)
      await client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'overlaps'] })
      return
    }
    const { name: taken, is_owner: isOwner } = changed.person
    toast.success(`This calendar now uses ${toPossessive({ name: taken, isOwner })} time.`)
    onChanged()
    startAnew()
    updateCachedCalendar(client, changed)
    // The available times of both people's calendars have changed, so reload everything.
    await client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY] })
  }
  return {
    whose,
    setWhose: (next: PersonOfCalendar) => edit({ whose: next }),
    name,
    setName: (next: string) => edit({ name: next }),
    nameRef,
    nameError,
    refusal,
    chosen,
    /** True when the typed name is that of the current person. */
    isSame: edited.name !== undefined && typed !== '' && isSameName(typed, person.name),
    /**
     * True when another person is chosen and no appointments overlap. Also true when the name is missing, which `submit` reports.
     */
    canChange:
      (whose === 'other' && typed === '') || (chosen !== null && overlaps?.total === 0 && settled === typed),
    submit,
    isPending,
    startAnew,
  }
}

/** Returns the chosen person; null if it is the current person or the name is missing. */
function choose({ person, user_id }: Calendar, whose: PersonOfCalendar, typed: string): ChosenPerson | null {
  // The owner, as a person, has the same id as the account.
  if (whose === 'mine')
    return person.is_owner ? null : { who: { person_id: user_id }, isOwner: true, name: '' }
  return typed === '' || isSameName(typed, person.name)
    ? null
    : { who: { name: typed }, isOwner: false, name: typed }
}

/** Returns the possessive form: `your`, or `Jon Osei’s`. */
export function toPossessive({
  name,
  isOwner,
}: {
  readonly name: string
  readonly isOwner: boolean
}): string {
  return isOwner ? 'your' : `${wrapInBidiIsolates(name)}’s`
}
