import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';

/**
 * Reads a decimal number of a file or of DynamoDB, which has up to 38 digits. One that JavaScript
 * would write with other digits becomes a `NumberValue`, and so does one that the AWS SDK refuses.
 */
export function exactNumber(text: string): number | NumberValue {
  const number = Number(text);
  const isExact =
    Math.abs(number) <= Number.MAX_SAFE_INTEGER && decimal(String(number)) === decimal(text);
  return isExact ? number : NumberValue.from(text);
}

/** Writes a number in one form: its digits without zeros around them, and their exponent. */
function decimal(text: string): string {
  const [, sign = '', whole = '', rest = '', exponent = '0'] =
    /^([-+]?)(\d*)\.?(\d*)(?:e(.*))?$/i.exec(text) ?? [];
  const digits = `${whole}${rest}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - rest.length + digits.length - significant.length;
  return `${sign.replace('+', '')}${significant}e${power}`;
}
