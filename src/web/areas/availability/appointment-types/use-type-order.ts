import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { AppointmentType } from '#contract/availability/appointment-types.ts'
import * as at from '#contract/operations/addresses.ts'
import { appointmentTypesQuery, refreshAppointmentTypes } from '#web/kit/appointment-types-query.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'

/**
 * Lets the owner change the order of the types. A new order is shown at once and saved; if saving fails, the stored order is
 * shown again. Source: rule C18.
 */
export function useTypeOrder(calendarId: string, stored: readonly AppointmentType[]) {
  const client = useQueryClient()
  /** The ids in the order that the owner has chosen; null once it is stored. */
  const [chosen, setChosen] = useState<readonly string[] | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const latest = useRef<readonly string[] | null>(null)
  const { queryKey } = appointmentTypesQuery(calendarId)
  const { mutate } = useMutation({
    // Send the requests one after the other. Each contains the whole order, so only the latest of those that wait is sent.
    scope: { id: `type-order-${calendarId}` },
    mutationFn: async (ids: readonly string[]) => {
      if (ids !== latest.current) return
      const body = { appointment_type_ids: [...ids] }
      await callApi(at.orderAppointmentTypes, { params: { id: calendarId }, body })
    },
    onSuccess: (_, ids) => {
      if (ids !== latest.current) return
      client.setQueryData(
        queryKey,
        (shown) => shown && { ...shown, appointment_types: sortByIds(shown.appointment_types, ids) },
      )
      setChosen(null)
      void refreshAppointmentTypes(client, calendarId)
    },
    onError: (error, ids) => {
      if (ids !== latest.current) return
      setChosen(null)
      setAnnouncement('')
      toast.error(`We restored the old order, because saving failed: ${error.message}`)
      void refreshAppointmentTypes(client, calendarId)
    },
  })
  const types = chosen === null ? stored : sortByIds(stored, chosen)

  /** Shows and saves the order of `ids`, which moves one type. */
  const order = (ids: readonly string[], { id, name }: AppointmentType) => {
    if (ids.every((each, index) => each === types[index]?.id)) return
    latest.current = ids
    setChosen(ids)
    setAnnouncement(`Moved ${name} to ${ids.indexOf(id) + 1} of ${ids.length}`)
    mutate(ids)
  }

  /** Moves a type up (-1) or down (1) by one place. The first and the last type stay there. */
  const moveBy = (type: AppointmentType, step: -1 | 1) => {
    const ids = types.map(({ id }) => id)
    const from = ids.indexOf(type.id)
    const to = from + step
    if (from === -1 || to < 0 || to >= ids.length) return
    order(ids.toSpliced(from, 1).toSpliced(to, 0, type.id), type)
  }

  return { types, order, moveBy, announcement }
}

/** Sorts types by the place of their ids in `ids`. Types without a place follow in their present order, as on the server. */
function sortByIds(types: readonly AppointmentType[], ids: readonly string[]): AppointmentType[] {
  const places = new Map(ids.map((id, place) => [id, place]))
  const placeOf = ({ id }: AppointmentType) => places.get(id) ?? ids.length
  return types.toSorted((a, b) => placeOf(a) - placeOf(b))
}
