import type { ComponentPropsWithoutRef } from 'react'
import { classNames } from './class-names.ts'

type IconProps = Omit<ComponentPropsWithoutRef<'svg'>, 'children'>

/** Points along the line of reading, and turns round with it (theme.css). */
export const TURNING = 'icon-turning'

/**
 * A drawing in lines of the text's colour, 24 by 24. Screen readers skip it, because it only repeats the words beside
 * it.
 *
 * All were drawn by the Lucide contributors (lucide.dev, lucide-license.txt), and are written as one path each. Their
 * package for React has options that nobody here uses, which cost 1.1 kB (gzip) on every page.
 */
export function icon(path: string, ownClass?: string) {
  return function Icon({ className, ...svg }: IconProps) {
    return (
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        width="24"
        height="24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        className={classNames(ownClass, className)}
        {...svg}
      >
        <path d={path} />
      </svg>
    )
  }
}

export const CalendarDays = icon(
  'M8 2v3M16 2v3M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2zM3 9h18M8 13h.01M12 13h.01M16 13h.01M8 17h.01M12 17h.01M16 17h.01',
)

export const ChevronLeft = icon('M15 18l-6-6 6-6', TURNING)

export const ChevronRight = icon('M9 18l6-6-6-6', TURNING)

export const CircleAlert = icon('M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M12 8L12 12M12 16L12.01 16')

export const CircleCheck = icon('M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M16 9l-5.5 5.5L8 12')

export const Info = icon('M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M12 16v-4M12 8h.01')

export const Mail = icon(
  'M22 7l-8.991 5.727a2 2 0 0 1-2.009 0L2 7M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2z',
)

export const Menu = icon('M4 5h16M4 12h16M4 19h16')

export const Monitor = icon(
  'M4 3h16a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-10a2 2 0 0 1 2 -2zM8 21L16 21M12 17L12 21',
)

export const Moon = icon(
  'M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401',
)

export const Sun = icon(
  'M8 12a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M12 2v2M12 20v2M4.93 4.93l1.41 1.41M17.66 17.66l1.41 1.41M2 12h2M20 12h2M6.34 17.66l-1.41 1.41M19.07 4.93l-1.41 1.41',
)

export const TriangleAlert = icon(
  'M21.73 18l-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01',
)

export const X = icon('M18 6 6 18M6 6l12 12')
