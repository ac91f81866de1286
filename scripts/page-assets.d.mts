export function pageAssets(): Promise<{ readonly script: string; readonly style: string }>;
