import { useQuery } from '@tanstack/react-query'
import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { SeriesProps } from './series-fields.tsx'

/**
 * Lets the customer repeat the chosen time. The code is downloaded only if the chosen type offers series, and again after a refused
 * booking if that failed, as that of questions. Source: rule B48.
 */
export function Series({
  type,
  ...props
}: Omit<SeriesProps, 'rule'> & { type: PublicAppointmentType | null }) {
  const { request, draft } = props
  const rule = draft.startsAt && type?.series
  const { data: Fields } = useQuery({
    queryKey: ['booking-page', request.slug, 'series'],
    queryFn: () => import('./series-fields.tsx').then((part) => part.SeriesFields),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: !!rule,
  })
  return Fields && rule && <Fields {...props} rule={rule} />
}
