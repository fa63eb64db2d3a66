import { type ThemeConfig, theme } from 'antd'
import { fontFamily } from './fonts.ts'
import { palettes, type Scheme } from './palette.ts'

/** Nothing moves for those who asked for stillness; a moment remains, because antd waits for the end of it. */
const still = (duration: string) => `max(1ms, calc(${duration} * var(--motion)))`

const tokensOf = (colors: (typeof palettes)[Scheme]) => ({
  fontFamily,
  fontSize: 14,
  borderRadius: 8,
  controlHeight: 36,
  colorPrimary: colors.accent,
  colorPrimaryHover: colors.accentHover,
  colorPrimaryActive: colors.accentHover,
  colorTextLightSolid: colors.accentInk,
  colorLink: colors.link,
  colorText: colors.ink,
  colorTextSecondary: colors.inkSoft,
  colorTextTertiary: colors.inkFaint,
  colorTextQuaternary: colors.inkFaint,
  colorTextPlaceholder: colors.inkFaint,
  colorTextDescription: colors.inkFaint,
  colorIcon: colors.inkFaint,
  colorBorder: colors.lineStrong,
  colorBorderSecondary: colors.line,
  colorBgContainer: colors.surface,
  colorBgElevated: colors.surface,
  colorBgLayout: colors.page,
  controlItemBgActive: colors.accentSoft,
  controlItemBgHover: colors.hover,
  colorError: colors.badInk,
  boxShadowSecondary: colors.shadowFloating,
  colorPrimaryBg: colors.accentSoft,
  colorPrimaryBgHover: colors.accentSoft,
  controlOutline: `color-mix(in srgb, ${colors.accent} 24%, transparent)`,
  controlOutlineWidth: 3,
  motionDurationFast: still('0.08s'),
  motionDurationMid: still('0.12s'),
  motionDurationSlow: still('0.18s'),
})

/** antd in our colours: its own primary, placeholder and disabled texts miss WCAG AA. */
export function antdTheme(scheme: Scheme): ThemeConfig {
  const colors = palettes[scheme]
  return {
    algorithm: scheme === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    // A name per scheme: styles that the server streams late for the other scheme must not win.
    cssVar: { key: `meridian-${scheme}` },
    hashed: false,
    token: tokensOf(colors),
    components: {
      Button: {
        primaryShadow: 'none',
        defaultShadow: 'none',
        primaryColor: colors.accentInk,
        fontWeight: 500,
      },
      Select: { optionSelectedColor: colors.ink },
      Tooltip: {
        colorBgSpotlight: scheme === 'dark' ? '#33403f' : '#22302f',
        colorTextLightSolid: '#ffffff',
      },
    },
  }
}
