/**
 * Latin before Chinese, or an apostrophe is as wide as a Chinese letter. Only what the machine has: a font from elsewhere would be a request to elsewhere.
 */
export const fontFamily =
  "'Inter', 'SF Pro Text', -apple-system, BlinkMacSystemFont, 'Segoe UI', 'Roboto', 'Helvetica Neue', 'Arial', 'Liberation Sans', 'DejaVu Sans', 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif"
