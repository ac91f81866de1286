#!/usr/bin/env node
import './weft.cjs';
