import { useEffect, useState } from 'react';

const SETTLE_MS = 500;

/** Returns the last value that stayed the same for a while, such as after typing. @param value is compared as JSON. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
