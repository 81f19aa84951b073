"use strict";

const { declared, Least } = require("./declared");

exports.id = new Least("floor", declared()).id;
